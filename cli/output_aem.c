/* SPDX-License-Identifier: MIT */
/* output_aem.c: CCSDS Attitude Ephemeris Message 1.0 in keyword-value form (504.0-B-1), for spacecraft tools.
 *
 * REF_FRAME_A is the frame that the attitude is relative to, REF_FRAME_B the body; ATTITUDE_DIR A2B and QUATERNION_TYPE
 * LAST: (Q1, Q2, Q3, QC) are the numbers of our body-to-inertial quaternion, with QC >= 0 (docs/CONVERT.md), to fifteen
 * decimals. Epochs are the epoch of the scenario plus t; days have 86400 s. The file says nothing that changes from run
 * to run: CREATION_DATE is START_TIME unless SOURCE_DATE_EPOCH gives one. */
#include "output.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EPOCH = 48, HEAD = 2048, DAY = 86400 };

/* A point in time: seconds from 0000-03-01 and a fraction in [0, 1). */
typedef struct epoch {
    long long seconds;
    double fraction;
} epoch;

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

/* YYYY-MM-DDThh:mm:ss[.f][Z]; 0 if the text is something else. */
static int epoch_parse(epoch *out, const char *text)
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

/* Decimals of the seconds: nanoseconds, or finer where records are close together. */
static int decimals(const table *t)
{
    return t->from->step * (double)t->every < 1e-6 ? 15 : 9;
}

/* The epoch t later, as text of fixed length. 0 if it is beyond the year 9999. */
static int epoch_print(char out[EPOCH], const epoch *start, double t, int places)
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
    snprintf(out, EPOCH, "%04d-%02d-%02dT%02d:%02d:%02d.%0*lld", year, month, day, rest / 3600, rest / 60 % 60,
             rest % 60, places, fraction);
    return 1;
}

static cli_exit refuse(const table *t, const char *why)
{
    cli_error("%s: output.aem: %s", t->from->name, why);
    return EXIT_SCENARIO;
}

static cli_exit check(const table *t)
{
    const scenario *s = t->from;
    epoch start;
    char text[EPOCH];
    if (!s->output.epoch || !epoch_parse(&start, s->output.epoch))
        return refuse(t, "output.epoch is missing or not of the form 2026-01-31T12:00:00 (UTC)");
    if (s->step * (double)t->every < 1e-12)
        return refuse(t, "the time between records must be positive and at least 1e-12 s: raise step or output.every");
    if (!epoch_print(text, &start, s->start.t, 9) ||
        !epoch_print(text, &start, s->start.t + s->step * (double)s->steps, 9))
        return refuse(t, "the run leaves the years 0000 to 9999, which is all that dates can tell");
    for (const char *c = s->output.object ? s->output.object : ""; *c; c++)
        if (*c < ' ' || *c > '~') return refuse(t, "output.object may hold printable ASCII characters only");
    return EXIT_FINE;
}

/* The frame the attitude is relative to; systems.h tells. */
static const char *frame(const table *t)
{
    const char *name = t->from->system.name;
    if (strcmp(name, "satellite") == 0) return "RSW";
    return strcmp(name, "turntable") == 0 ? "TURNTABLE" : "EME2000";
}

static void creation_date(char out[EPOCH], const epoch *start, double t)
{
    const char *given = getenv("SOURCE_DATE_EPOCH");
    char *end = 0;
    errno = 0;
    long long seconds = given ? strtoll(given, &end, 10) : 0;
    epoch unix_time = {days_from_date(1970, 1, 1) * DAY, 0.0};
    if (given && end != given && *end == '\0' && errno == 0 && epoch_print(out, &unix_time, (double)seconds, 1)) return;
    epoch_print(out, start, t, 1);
}

/* The head with this time of the last record; answers its length and where that time stands. */
static int head_text(char out[HEAD], const table *t, double last, int *stop_at)
{
    const scenario *s = t->from;
    const char *object = s->output.object ? s->output.object : "UNNAMED";
    char from[EPOCH] = "", to[EPOCH] = "", date[EPOCH] = "", title[256];
    epoch start = {0, 0.0};
    epoch_parse(&start, s->output.epoch);
    creation_date(date, &start, s->start.t);
    epoch_print(from, &start, s->start.t, decimals(t));
    epoch_print(to, &start, last, decimals(t));
    table_title(t, title, sizeof title);
    int n = snprintf(out, HEAD,
                     "CCSDS_AEM_VERS = 1.0\n"
                     "COMMENT %s\n"
                     "COMMENT CREATION_DATE is START_TIME or SOURCE_DATE_EPOCH: equal runs give equal files\n"
                     "CREATION_DATE = %s\n"
                     "ORIGINATOR = LIESTEP %s\n\n"
                     "META_START\n"
                     "COMMENT REF_FRAME_A is the frame of the scenario; its inertial frame is called EME2000\n"
                     "COMMENT Every day has 86400 s: no leap second between START_TIME and STOP_TIME\n"
                     "OBJECT_NAME = %.120s\n"
                     "OBJECT_ID = %.120s\n"
                     "REF_FRAME_A = %s\n"
                     "REF_FRAME_B = SC_BODY_1\n"
                     "ATTITUDE_DIR = A2B\n"
                     "TIME_SYSTEM = UTC\n"
                     "START_TIME = %s\n"
                     "STOP_TIME = ",
                     title, date, lie_version(), object, object, frame(t), from);
    *stop_at = n;
    return n + snprintf(out + n, HEAD - (size_t)n,
                        "%s\nATTITUDE_TYPE = QUATERNION\nQUATERNION_TYPE = LAST\nMETA_STOP\n\nDATA_START\n", to);
}

static cli_exit head(output *o)
{
    const scenario *s = o->table->from;
    char text[HEAD];
    int stop_at, n = head_text(text, o->table, s->start.t + s->step * (double)s->steps, &stop_at);
    cli_exit code = file_append(&o->file, text, (size_t)n);
    file_begin_body(&o->file);
    return code;
}

static cli_exit row(output *o, const double *values)
{
    const table *t = o->table;
    char line[256], date[EPOCH] = "";
    double q[4], aem[4];
    epoch start = {0, 0.0};
    epoch_parse(&start, t->from->output.epoch);
    if (!table_attitude(t, q, values) || !epoch_print(date, &start, values[0], decimals(t))) {
        cli_error("the attitude at t = %.17g s cannot be written as a quaternion with a date", values[0]);
        return EXIT_FAILED;
    }
    lie_quat_canonical(q, q);
    if (lie_quat_to_ccsds(aem, q, LIE_CCSDS_LAST, LIE_CCSDS_A2B) != LIE_OK) return EXIT_FAILED;
    int n = snprintf(line, sizeof line, "%s %.15f %.15f %.15f %.15f\n", date, aem[0], aem[1], aem[2], aem[3]);
    return file_append(&o->file, line, (size_t)n);
}

static cli_exit tail(output *o, long long records, double last)
{
    static const char end[] = "DATA_STOP\n";
    char text[HEAD];
    int stop_at, n = head_text(text, o->table, last, &stop_at);
    (void)records;
    cli_exit code = file_append(&o->file, end, sizeof end - 1);
    return code == EXIT_FINE ? file_patch(&o->file, (unsigned long long)stop_at, text + stop_at, (size_t)(n - stop_at))
                             : code;
}

const output_kind output_aem = {"aem", check, head, row, tail};
