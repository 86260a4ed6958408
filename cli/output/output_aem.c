/* SPDX-License-Identifier: MIT */
/* output_aem.c: CCSDS Attitude Ephemeris Message 1.0 in keyword-value form (504.0-B-1), for spacecraft tools.
 *
 * REF_FRAME_A is the frame that the attitude is relative to, REF_FRAME_B the body; ATTITUDE_DIR A2B and QUATERNION_TYPE
 * LAST: (Q1, Q2, Q3, QC) are the numbers of our body-to-inertial quaternion, with QC >= 0 (docs/CONVERT.md), to fifteen
 * decimals. Epochs are the epoch of the scenario plus t; days have 86400 s. The file says nothing that changes from run
 * to run: CREATION_DATE is START_TIME unless SOURCE_DATE_EPOCH gives one. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/epoch.h"
#include "cli/output/output.h"

enum { HEAD = 2048 };

/* Decimals of the seconds: nanoseconds, or finer where records are close together. */
static int decimals(const table *t)
{
    return t->from->step * (double)t->every < 1e-6 ? 15 : 9;
}

static cli_exit refuse(const table *t, const char *why)
{
    cli_error("%s: output.aem: %s", t->from->name, why);
    return EXIT_SCENARIO;
}

static cli_exit check(const table *t)
{
    const scenario *s = t->from;
    epoch start = {0, 0.0};
    char text[EPOCH_TEXT];
    epoch_parse(&start, s->output.epoch);
    if (s->step * (double)t->every < 1e-12)
        return refuse(t, "the time between records must be positive and at least 1e-12 s: raise step or output.every");
    if (!epoch_print(text, &start, s->start.t, 9) ||
        !epoch_print(text, &start, s->start.t + s->step * (double)s->steps, 9))
        return refuse(t, "the run leaves the years 0000 to 9999, which is all that dates can tell");
    return EXIT_FINE;
}

/* The frame the attitude is relative to; systems.h tells. */
static const char *frame(const table *t)
{
    const char *name = t->from->system.name;
    if (strcmp(name, "satellite") == 0) return "RSW";
    return strcmp(name, "turntable") == 0 ? "TURNTABLE" : "EME2000";
}

static void creation_date(char out[EPOCH_TEXT], const epoch *start, double t)
{
    const char *given = getenv("SOURCE_DATE_EPOCH");
    char *end = 0;
    errno = 0;
    long long seconds = given ? strtoll(given, &end, 10) : 0;
    epoch unix_time = {0, 0.0};
    epoch_parse(&unix_time, "1970-01-01T00:00:00");
    if (given && end != given && *end == '\0' && errno == 0 && epoch_print(out, &unix_time, (double)seconds, 1)) return;
    epoch_print(out, start, t, 1);
}

/* The head with this time of the last record; answers its length and where that time stands. */
static int head_text(char out[HEAD], const table *t, double last, int *stop_at)
{
    const scenario *s = t->from;
    char from[EPOCH_TEXT] = "", to[EPOCH_TEXT] = "", date[EPOCH_TEXT] = "";
    epoch start = {0, 0.0};
    epoch_parse(&start, s->output.epoch);
    creation_date(date, &start, s->start.t);
    epoch_print(from, &start, s->start.t, decimals(t));
    epoch_print(to, &start, last, decimals(t));
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
                     t->title, date, lie_version(), s->output.object, s->output.object, frame(t), from);
    *stop_at = n;
    return n + snprintf(out + n, HEAD - (size_t)n,
                        "%s\nATTITUDE_TYPE = QUATERNION\nQUATERNION_TYPE = LAST\nMETA_STOP\n\nDATA_START\n", to);
}

static cli_exit head(output *o)
{
    const scenario *s = o->table->from;
    char text[HEAD];
    int stop_at, n = head_text(text, o->table, s->start.t + s->step * (double)s->steps, &stop_at);
    cli_exit code = file_append(&o->file, text, (size_t)stop_at);
    return code == EXIT_FINE ? file_append_open(&o->file, text + stop_at, (size_t)(n - stop_at)) : code;
}

static cli_exit row(output *o, const double *values)
{
    const table *t = o->table;
    char line[256], date[EPOCH_TEXT] = "";
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

static cli_exit tail(output *o)
{
    static const char end[] = "DATA_STOP\n";
    return file_append(&o->file, end, sizeof end - 1);
}

static cli_exit patch(output *o, long long records, double last)
{
    char text[HEAD];
    int stop_at, n = head_text(text, o->table, last, &stop_at);
    (void)records;
    return file_patch(&o->file, text + stop_at, (size_t)(n - stop_at));
}

const output_kind output_aem = {"aem", check, head, row, tail, patch};
