"""The price table of the token estimate: data, made by `bench/calibrate_tokens.py --fit`; do not edit by hand."""

from __future__ import annotations

COSTS: dict[str, tuple[int, ...]] = {
    "arabic": (756, 971, 1187, 1403, 1610),
    "cyrillic": (994, 998, 1038, 1273, 1532, 1784, 2072, 2259, 2519, 2590, 2723, 2788, 3102),
    "cyrillic_marked": (1077, 1332, 1586, 1841, 2113),
    "cyrillic_title": (1000, 1133, 1549, 2050, 2503, 2678, 2916, 3260, 3356, 3694),
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
    "latin": (610, 940, 987, 987, 995, 1009, 1025, 1042, 1083, 1091, 1101, 1160, 1198, 1276, 1709, 1853, 2660),
    "latin_accented": (948, 1062, 1177, 1292, 1412),
    "latin_marked": (1507, 1744, 1980, 2217, 2495),
    "latin_title": (957, 998, 1003, 1066, 1156, 1278, 1311, 1377, 1490, 1496, 1601, 1601, 1731, 1731, 2023),
    "latin_upper": (804, 1048, 1292, 1536, 1758),
    "other": (750, 1114, 1479, 1843, 2222),
    "punctuation": (885, 903, 1077, 1645, 1665, 2159, 2175),
    "space": (998, 1926, 2000, 2000, 2000, 2000),
    "symbol": (999, 1722, 2354, 3031, 3707),
    "thai": (1532, 1879, 2227, 2574, 2923),
    "wide": (1000, 1000, 1017, 1025, 1034),
}  # fmt: skip
"""Thousandths of a token by the length of a piece, in code points; the last step goes on for longer ones."""

PREMIUM: dict[str, float] = {"latin_accented": 1.85, "latin_marked": 2.7, "cyrillic_marked": 0.0}
"""By how much plain words of the script get dearer when every word is of this row; in proportion below that."""
