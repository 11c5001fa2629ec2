"""The tables of languages: mapped, and the same as the library's own; what can't be mapped is loaded."""

from pathlib import Path

import pytest
from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

from memoryhub.providers import language_model

TEXTS = (
    "Ich hätte gern einen Platz am Fenster", "Je voudrais une place côté couloir", "mi piacerebbe un posto", "zzz",
    "Δώσε μου μια θέση", "Nejraději bych seděl u okna", "istiyorum lütfen pencere kenarı", "", "\ud800", "hello there",
)  # fmt: skip


@pytest.fixture(scope="module")
def own() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def test_mapped_tables_tell_what_the_librarys_own_tell(own: LanguageIdentifier) -> None:
    mapped = language_model.identifier()
    assert isinstance(mapped.tk_nextmove, memoryview)
    assert [mapped.rank(text) for text in TEXTS] == [own.rank(text) for text in TEXTS]


def test_they_are_unpacked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = language_model._unpacked(MODEL_DIR / MODEL_FILE, tmp_path)
    monkeypatch.delattr(language_model, "load_model")
    assert language_model._unpacked(MODEL_DIR / MODEL_FILE, tmp_path) == first
    assert [path.name for path in tmp_path.iterdir()] == [first.name]


@pytest.mark.parametrize("name", ["nextmove", "ptc", language_model.FACTS])
def test_where_a_file_is_cut_or_missing_the_process_holds_its_own(
    name: str,
    own: LanguageIdentifier,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    folder = language_model._unpacked(MODEL_DIR / MODEL_FILE, tmp_path)
    (folder / name).write_bytes((folder / name).read_bytes()[:-2])
    monkeypatch.setattr(language_model.settings, "MEMORYHUB_MODEL_CACHE", tmp_path)
    assert language_model.identifier().classify(TEXTS[0]) == own.classify(TEXTS[0])
    (folder / name).unlink()
    assert language_model.identifier().classify(TEXTS[0]) == own.classify(TEXTS[0])
    assert "can't be mapped" in caplog.text


def test_two_who_unpack_at_once_end_with_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine = language_model._unpack

    def unpack(model: object, folder: Path) -> None:
        genuine(model, folder)  # type: ignore[arg-type]
        monkeypatch.setattr(language_model, "_unpack", genuine)
        language_model._unpacked(MODEL_DIR / MODEL_FILE, tmp_path)  # another process, a moment earlier

    monkeypatch.setattr(language_model, "_unpack", unpack)
    folder = language_model._unpacked(MODEL_DIR / MODEL_FILE, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_no_place_to_unpack_to_is_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(language_model.settings, "MEMORYHUB_MODEL_CACHE", tmp_path / "file")
    assert language_model.identifier().classify(TEXTS[0])[0] == "de"
