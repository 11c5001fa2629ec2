"""One other memory as a process: it stores, searches and adds when told to, and says how long each call took.

    PGPASSWORD=… .venv-peers/bin/python .ci/peer.py {mem0,langgraph} --model FOLDER --database CONNINFO

One JSON object a line comes in ({"do": "add", "subject": …, "text": …}), one goes out ({"ms": …, "found": …}). Only the
library's own call is timed. Nothing leaves the machine: no model is asked, nothing is downloaded, no use is reported.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

THREADS = "1"  # of torch: fastest for single short texts
DIMENSIONS = 384
#: Before any of their imports, some of which read these.
os.environ |= {
    "OMP_NUM_THREADS": THREADS, "MKL_NUM_THREADS": THREADS, "TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1", "MEM0_TELEMETRY": "false", "ANONYMIZED_TELEMETRY": "false",
    "LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": "false",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1", "TQDM_DISABLE": "1",
}  # fmt: skip


class Peer(Protocol):
    """What a memory is measured at."""

    def add(self, subject: str, text: str) -> int:
        """Keep one text; how many were kept."""
        ...

    def search(self, subject: str, query: str, limit: int) -> int:
        """Find what is near in meaning; how many were found."""
        ...


class Mem0:
    """mem0ai as it comes, with its pgvector store and its sentence-transformers embedder; texts kept as they are."""

    def __init__(self, model: str, database: str, folder: str) -> None:
        from mem0 import Memory

        self._memory = Memory.from_config(
            {
                "vector_store": {
                    "provider": "pgvector",
                    "config": {
                        "connection_string": database, "collection_name": "mem0", "embedding_model_dims": DIMENSIONS,
                    },
                },
                "embedder": {
                    "provider": "huggingface",
                    "config": {
                        "model": model, "embedding_dims": DIMENSIONS,
                        "model_kwargs": {"device": "cpu", "local_files_only": True},
                    },
                },
                "llm": {"provider": "openai", "config": {"api_key": "never used: no model is asked"}},
                "history_db_path": os.path.join(folder, "history.db"),
            }
        )  # fmt: skip

    def add(self, subject: str, text: str) -> int:
        return len(self._memory.add(text, user_id=subject, infer=False)["results"])

    def search(self, subject: str, query: str, limit: int) -> int:
        return len(self._memory.search(query, filters={"user_id": subject}, top_k=limit)["results"])


class LangGraph:
    """LangGraph's PostgresStore on one connection, its vector index as it comes."""

    def __init__(self, model: str, database: str, folder: str) -> None:
        from langgraph.store.postgres import PostgresStore
        from sentence_transformers import SentenceTransformer

        encoder = SentenceTransformer(model, device="cpu", local_files_only=True)

        def embed(texts: list[str]) -> list[list[float]]:
            vectors: list[list[float]] = encoder.encode(texts, convert_to_numpy=True).tolist()
            return vectors

        self._scope = PostgresStore.from_conn_string(
            database, index={"dims": DIMENSIONS, "embed": embed, "fields": ["text"]}
        )
        self._store = self._scope.__enter__()
        self._store.setup()
        self._added = 0

    def add(self, subject: str, text: str) -> int:
        self._added += 1
        self._store.put(("memories", subject), str(self._added), {"text": text})
        return 1

    def search(self, subject: str, query: str, limit: int) -> int:
        return len(self._store.search(("memories", subject), query=query, limit=limit))


PEERS = {"mem0": Mem0, "langgraph": LangGraph}


def main() -> None:
    """Answer each line until the input ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("peer", choices=sorted(PEERS))
    parser.add_argument("--model", required=True)
    parser.add_argument("--database", required=True, help="libpq's connection string")
    given = parser.parse_args()
    with _own_output() as output, tempfile.TemporaryDirectory() as folder:
        os.environ["MEM0_DIR"] = folder  # else it writes into the home folder
        peer = PEERS[given.peer](given.model, given.database, folder)
        print(json.dumps({"pid": os.getpid()}), file=output, flush=True)
        for line in sys.stdin:
            print(json.dumps(_answer(peer, json.loads(line))), file=output, flush=True)


def _answer(peer: Peer, asked: dict[str, Any]) -> dict[str, float]:
    if asked["do"] == "add":
        began = time.perf_counter()
        found = peer.add(asked["subject"], asked["text"])
    else:
        began = time.perf_counter()
        found = peer.search(asked["subject"], asked["query"], asked["limit"])
    return {"ms": (time.perf_counter() - began) * 1000, "found": found}


@contextmanager
def _own_output() -> Iterator[Any]:
    """Our lines on the pipe alone; what the libraries print goes to the errors."""
    with os.fdopen(os.dup(1), "w") as output:
        os.dup2(2, 1)
        yield output


if __name__ == "__main__":
    main()
