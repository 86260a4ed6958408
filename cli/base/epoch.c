/* SPDX-License-Identifier: MIT */
/* epoch.c: see epoch.h. */
#include "cli/base/epoch.h"

#include <math.h>
#include <stdio.h>

enum { DAY = 86400 };

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Days from 0000-03-01 of the Gregorian calendar: years begin in March, so that a leap day is the last of its year. */
static long long days_from_date(int year, int month, int day)
{
    int y = month > 2 ? year : year - 1, m = (month + 9) % 12;
    return 365LL * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1;
}

static void date_from_days(long long days, int *year, int *month, int *day)
{
    long long y = (10000 * days + 14780) / 3652425;
    long long rest = days - (365 * y + y / 4 - y / 100 + y / 400);
    if (rest < 0) {
        y--;
        rest = days - (365 * y + y / 4 - y / 100 + y / 400);
    }
    long long m = (100 * rest + 52) / 3060;
    *month = (int)((m + 2) % 12 + 1);
    *year = (int)(y + (m + 2) / 12);
    *day = (int)(rest - (m * 306 + 5) / 10 + 1);
}

/* n digits as a number; -1 if there are not n, or more than `most`. */
static int digits(const char **text, int n, int most)
{
    int value = 0;
    for (int i = 0; i < n; i++, (*text)++) {
        if (**text < '0' || **text > '9') return -1;
        value = 10 * value + (**text - '0');
    }
    return value <= most ? value : -1;
}

static int skip(const char **text, char c)
{
    if (**text != c) return 0;
    (*text)++;
    return 1;
}

int epoch_parse(epoch *out, const char *text)
{
    static const int lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = digits(&text, 4, 9999), month = skip(&text, '-') ? digits(&text, 2, 12) : -1;
    int day = skip(&text, '-') ? digits(&text, 2, 31) : -1, hour = skip(&text, 'T') ? digits(&text, 2, 23) : -1;
    int minute = skip(&text, ':') ? digits(&text, 2, 59) : -1, second = skip(&text, ':') ? digits(&text, 2, 59) : -1;
    if (year < 1 || month < 1 || day < 1 || hour < 0 || minute < 0 || second < 0) return 0;
    if (day > lengths[month - 1] + (month == 2 && is_leap(year))) return 0;
    out->fraction = 0.0;
    if (*text == '.') {
        double unit = 1.0;
        for (text++; *text >= '0' && *text <= '9'; text++) {
            unit *= 10.0;
            out->fraction += (*text - '0') / unit;
        }
    }
    if (out->fraction >= 1.0) return 0;
    skip(&text, 'Z');
    out->seconds = days_from_date(year, month, day) * DAY + hour * 3600 + minute * 60 + second;
    return *text == '\0';
}

int epoch_print(char out[EPOCH_TEXT], const epoch *start, double t, int places)
{
    double unit = 1.0;
    int year, month, day;
    for (int i = 0; i < places; i++) unit *= 10.0;
    double whole = floor(t), parts = floor((t - whole + start->fraction) * unit + 0.5);
    if (!(fabs(whole) < 4e11)) return 0;
    long long seconds = start->seconds + (long long)whole, fraction = (long long)parts;
    seconds += fraction / (long long)unit;
    fraction %= (long long)unit;
    if (seconds < 0) return 0;
    date_from_days(seconds / DAY, &year, &month, &day);
    if (year > 9999 || year < 0) return 0;
    int rest = (int)(seconds % DAY);
    snprintf(out, EPOCH_TEXT, "%04d-%02d-%02dT%02d:%02d:%02d.%0*lld", year, month, day, rest / 3600, rest / 60 % 60,
             rest % 60, places, fraction);
    return 1;
}
