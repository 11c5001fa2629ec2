"""How was the packaged entailment model made, and how is it made again?

    manage.py train_entailment ../shared/data/nli /var/tmp/entailment --minutes 60

One command: mix the rows (mixture.py), train the packaged MiniLM on them (learning.py), export and quantise
(exporting.py). Seeded; `--steps N` in place of `--minutes` repeats a run exactly. What a run read is in its
progress.json.
"""
