"""Intervals of shares and means against published numbers, exact sums and simulations."""

from __future__ import annotations

from math import comb, sqrt

import numpy as np
import pytest

from study.lab import intervals

# The limits were derived with scipy 1.17.1: binomtest(k, n).proportion_ci(0.95, method).
SHARES = [
    (0, 10, 0.0, 0.27753279986288926, 0.0, 0.30849710781876294),
    (1, 10, 0.017876213095072896, 0.4041500267952385, 0.0025285785444625728, 0.44501611702819543),
    (5, 10, 0.236593090512564, 0.7634069094874361, 0.1870860284474045, 0.8129139715525955),
    (10, 10, 0.7224672001371109, 1.0, 0.6915028921812371, 1.0),
    (37, 200, 0.13730192800616045, 0.24457062761151752, 0.13372866018013796, 0.24586346244867838),
    (
        3,
        1000,
        0.0010207838811386186,
        0.008783014053503173,
        0.0006190999316499,
        0.008742023238657654,
    ),
]


@pytest.mark.parametrize(("won", "count", "low", "high", "exact_low", "exact_high"), SHARES)
def test_share_intervals_match_published_values(
    won: int, count: int, low: float, high: float, exact_low: float, exact_high: float
) -> None:
    assert intervals.wilson(won, count) == pytest.approx((low, high), abs=1e-9)
    assert intervals.clopper_pearson(won, count) == pytest.approx((exact_low, exact_high), abs=1e-9)


def test_share_without_observations_spans_zero_to_one() -> None:
    assert intervals.wilson(0, 0) == intervals.clopper_pearson(0, 0) == (0, 1)


@pytest.mark.parametrize(("won", "count"), [(-1, 4), (5, 4), (0, -1)])
def test_impossible_shares_are_refused(won: int, count: int) -> None:
    for method in (intervals.wilson, intervals.clopper_pearson):
        with pytest.raises(ValueError, match="is no share"):
            method(won, count)


@pytest.mark.parametrize("confidence", [0, 1, 95, float("nan")])
def test_impossible_confidences_are_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        intervals.wilson(1, 2, confidence)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5])
def test_exact_intervals_cover_the_share_at_the_stated_rate(share: float) -> None:
    count, held = 60, 0.0
    for won in range(count + 1):
        limits = intervals.clopper_pearson(won, count, 0.9)
        chance = comb(count, won) * share**won * (1 - share) ** (count - won)
        held += chance * (limits.low <= share <= limits.high)
    assert 0.9 <= held < 0.99


def test_beta_equals_the_tail_of_the_binomial_sum() -> None:
    for count, won, x in [(7, 2, 0.3), (40, 31, 0.8), (300, 20, 0.05)]:
        tail = sum(comb(count, k) * x**k * (1 - x) ** (count - k) for k in range(won, count + 1))
        assert intervals.beta_share(x, won, count - won + 1) == pytest.approx(tail, rel=1e-10)


def test_beta_works_for_millions_of_games() -> None:
    limits = intervals.clopper_pearson(1_000_000, 2_000_000)
    assert limits == pytest.approx(intervals.wilson(1_000_000, 2_000_000), abs=1e-6)


@pytest.mark.parametrize(
    ("freedom", "reach"), [(1, 12.7062047361747), (4, 2.77644510519780), (99, 1.98421695158642)]
)
def test_student_quantiles_match_published_values(freedom: int, reach: float) -> None:
    assert intervals.student_quantile(0.95, freedom) == pytest.approx(reach, rel=1e-9)
    assert intervals.student_p(reach, freedom) == pytest.approx(0.05, rel=1e-9)


def test_mean_of_single_games_has_the_usual_standard_error() -> None:
    values = [1.0, 0.0, 0.5, 1.0, 0.0, 0.5, 1.0]
    estimate = intervals.clustered_mean(values, range(7))
    assert estimate.mean == pytest.approx(np.mean(values))
    assert estimate.error == pytest.approx(np.std(values, ddof=1) / sqrt(7))


def test_copies_of_one_seed_count_as_one_observation() -> None:
    values = [1.0, 0.0, 0.5, 1.0]
    once = intervals.clustered_mean(values, range(4))
    thrice = intervals.clustered_mean(values * 3, list(range(4)) * 3)
    assert thrice[:5] == pytest.approx(once[:5])
    assert (thrice.size, thrice.clusters) == (12, 4)


def test_single_seed_gives_a_mean_without_an_interval() -> None:
    estimate = intervals.clustered_mean([1, 0], ["a", "a"])
    assert estimate == (0.5, None, None, None, None, 2, 1)


def test_equal_values_have_zero_error() -> None:
    assert intervals.clustered_mean([0.0, 0.0], [1, 2]).p == 1
    assert intervals.clustered_mean([0.5, 0.5], [1, 2])[:5] == (0.5, 0, 0.5, 0.5, None)
    assert intervals.clustered_mean([0.1] * 3, [1, 2, 3]).error == 0


def test_clustered_intervals_cover_the_mean_at_the_stated_rate() -> None:
    chance = np.random.default_rng(5)
    seeds = np.repeat(np.arange(20), 4).tolist()
    held = 0
    for _ in range(400):
        values = np.repeat(chance.normal(size=20), 4) + 0.5 * chance.normal(size=80)
        estimate = intervals.clustered_mean(values.tolist(), seeds)
        assert estimate.low is not None
        assert estimate.high is not None
        held += estimate.low <= 0 <= estimate.high
    assert 0.92 <= held / 400 <= 0.98


def test_differences_of_shares_match_newcombe() -> None:
    # Newcombe (1998), Statistics in Medicine 17, table II: method 10.
    assert intervals.compare_shares((56, 70), (48, 80)) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert intervals.compare_shares((9, 10), (3, 10)) == pytest.approx((0.1705, 0.8090), abs=5e-5)
    assert intervals.compare_shares((10, 10), (0, 10)).low == pytest.approx(0.6075, abs=5e-5)


def test_equal_shares_do_not_differ() -> None:
    for first, second in (((0, 5), (0, 9)), ((5, 10), (50, 100))):
        low, high = intervals.compare_shares(first, second)
        assert low < 0 < high
    with pytest.raises(ValueError, match="observations on both sides"):
        intervals.compare_shares((0, 0), (1, 2))


@pytest.mark.parametrize(
    ("up", "down", "p"), [(3, 11, 0.057373046875), (8, 2, 0.109375), (0, 0, 1), (5, 5, 1)]
)
def test_sign_test_is_exact(up: int, down: int, p: float) -> None:
    assert intervals.sign_test(up, down) == intervals.sign_test(down, up) == pytest.approx(p)


def test_holm_multiplies_the_smallest_p_value_most() -> None:
    assert intervals.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert intervals.holm([0.9, 0.8]) == (1, 1)
    assert intervals.holm([]) == ()
    with pytest.raises(ValueError, match="from 0 to 1"):
        intervals.holm([0.5, 1.5])


def test_sample_size_gives_the_requested_width() -> None:
    assert intervals.share_sample_size(0.02) == 2401
    assert intervals.mean_sample_size(0.02, 0.5) == 2401
    limits = intervals.wilson(1201, 2401)
    assert (limits.high - limits.low) / 2 == pytest.approx(0.02, abs=1e-4)
    with pytest.raises(ValueError, match="half width"):
        intervals.share_sample_size(0)
