"""The price table of the token estimate: data, made by `bench/calibrate_tokens.py --fit`; do not edit by hand."""

from __future__ import annotations

COSTS: dict[str, tuple[int, ...]] = {
    "arabic": (756, 971, 1187, 1403, 1610),
    "cyrillic": (997, 997, 1028, 1243, 1412, 1694, 1901, 2228, 2351, 2351, 2607, 2663, 2676, 3467, 3832),
    "cyrillic_marked": (1077, 1332, 1586, 1841, 2113),
    "cyrillic_title": (1000, 1115, 1479, 1944, 2453, 2603, 2862, 3365, 3365, 3607, 3674),
    "digits": (1000, 1000, 1000, 1000),
    "digits_spaced": (2000, 2000, 2000, 2000, 2000),
    "emoji": (1853, 3314, 4775, 6236, 7697),
    "greek": (750, 1114, 1479, 1843, 2222),
    "greek_title": (753, 1149, 1545, 1941, 2337),
    "han": (1135, 1224, 2285, 2990, 3707, 4043, 4995, 5544, 6131, 7130, 7542, 8396, 9219, 9737, 10516, 11132, 11791),
    "han_marked": (958, 1798, 2639, 3479, 4331),
    "hangul": (814, 1449, 2084, 2719, 3354),
    "hebrew": (500, 855, 1298, 1740, 2228),
    "indic": (806, 993, 1179, 1366, 1550),
    "kana": (960, 1415, 2166, 2917, 3590),
    "latin": (611, 941, 987, 987, 995, 1009, 1025, 1042, 1083, 1090, 1101, 1160, 1198, 1276, 1709, 1853, 2660),
    "latin_accented": (948, 1062, 1177, 1292, 1412),
    "latin_marked": (1507, 1744, 1980, 2217, 2495),
    "latin_title": (956, 998, 1003, 1066, 1159, 1278, 1313, 1376, 1499, 1499, 1604, 1604, 1728, 1728, 2022),
    "latin_upper": (803, 1047, 1292, 1536, 1759),
    "other": (750, 1114, 1479, 1843, 2222),
    "punctuation": (888, 905, 1077, 1628, 1665, 2041, 2062),
    "space": (998, 1926, 2000, 2000, 2000, 2000),
    "symbol": (999, 1722, 2355, 3031, 3707),
    "thai": (1532, 1879, 2227, 2574, 2923),
    "wide": (1000, 1000, 1017, 1025, 1034),
}  # fmt: skip
"""Thousandths of a token by the length of a piece, in code points; the last step goes on for longer ones."""

PREMIUM: dict[str, float] = {"latin_accented": 1.85, "latin_marked": 2.7, "cyrillic_marked": 0.05}
"""By how much plain words of the script get dearer when every word is of this row; in proportion below that."""
