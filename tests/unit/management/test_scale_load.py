"""What is loaded to be measured is as many-voiced and as mixed as real memory, and the same in every run."""

from collections import Counter

import numpy

from memoryhub.management import scale_load
from memoryhub.management.scale_load import BIG, Store


def test_every_subject_owns_as_many_entries_and_the_big_one_its_own() -> None:
    store = Store(subjects=7, each=5, big=11)
    whose = Counter(scale_load.owners(store, seed=1))
    assert whose == {**dict.fromkeys(store.names, 5), BIG: 11}
    assert store.entries == whose.total() == 46


def test_a_subjects_entries_lie_among_those_of_others() -> None:
    laid = list(scale_load.owners(Store(subjects=50, each=4), seed=2))
    for lap in range(4):
        assert len(set(laid[lap * 50 : lap * 50 + 50])) == 50
    assert laid[:50] != laid[50:100]


def test_the_same_seed_lays_them_down_in_the_same_order() -> None:
    store = Store(subjects=9, each=3)
    assert list(scale_load.owners(store, seed=3)) == list(scale_load.owners(store, seed=3))
    assert list(scale_load.owners(store, seed=3)) != list(scale_load.owners(store, seed=4))


def test_noise_keeps_vectors_of_length_one_near_where_they_were_and_apart() -> None:
    chance = numpy.random.default_rng(5)
    one = numpy.zeros((200, 384), dtype=numpy.float32)
    one[:, 7] = 1.0
    moved = scale_load.noisy(one, chance)
    assert moved.dtype == numpy.float32
    assert numpy.allclose(numpy.linalg.norm(moved, axis=1), 1.0, atol=1e-5)
    cosines = moved[:, 7]
    assert 0.8 < cosines.min() < cosines.max() < 0.97
    assert len({row.tobytes() for row in moved}) == 200
