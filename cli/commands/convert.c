/* SPDX-License-Identifier: MIT */
/* convert.c: `liestep convert`: one attitude, pose, twist or inertia from one convention into another. Numbers come
 * from the command line or, a set per line, from standard input. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/json.h"
#include "cli/commands/forms.h"

typedef struct conversion {
    const form *from, *to;
    int normalize, continuous, as_json;
    json report;
    int started; /* `last` holds what was written before */
    double last[FORM_NUMBERS];
} conversion;

/* Numbers read so far, and where they stand for messages: "convert" or "stdin:7". */
typedef struct numbers {
    const form *form;
    char where[40];
    int count;
    double value[FORM_NUMBERS];
} numbers;

static cli_exit wrong_count(const numbers *in, const char *many)
{
    cli_error("%s: %s expects %d numbers (%s), got %s%d", in->where, in->form->name, in->form->count, in->form->numbers,
              many, in->count);
    return EXIT_SCENARIO;
}

/* Numbers apart by space, comma or semicolon; brackets may stand around them. */
static cli_exit add_numbers(numbers *in, const char *text)
{
    static const char between[] = " \t\r\n,;()[]";
    for (text += strspn(text, between); *text; text += strspn(text, between)) {
        char *end;
        double x = strtod(text, &end);
        size_t length = strcspn(text, between);
        if (end != text + length) {
            cli_error("%s: '%.*s' is no number; %s expects %d: %s", in->where, (int)(length < 40 ? length : 40), text,
                      in->form->name, in->form->count, in->form->numbers);
            return EXIT_SCENARIO;
        }
        if (in->count == in->form->count) return wrong_count(in, "more than ");
        in->value[in->count++] = x;
        text = end;
    }
    return EXIT_FINE;
}

static cli_exit refuse(const conversion *c, const numbers *in, lie_status status)
{
    const form *f = in->form;
    double off = form_defect(f, in->value);
    if (status == LIE_ERR_DOMAIN)
        cli_error("%s: the identity has no %s: it would be infinite", in->where, c->to->name);
    else if (status != LIE_ERR_NOT_IN_GROUP)
        cli_error("%s: %s to %s: %s", in->where, f->name, c->to->name, lie_status_text(status));
    else if (f->check == FORM_MATRIX && off < 1e-6)
        cli_error("%s: %s is a reflection: the determinant is -1, it must be +1", in->where, f->name);
    else if (f->check == FORM_MATRIX)
        cli_error("%s: %s is not orthogonal: R^T R is off 1 by %.3g, it may be by 1e-6; --normalize takes the nearest "
                  "rotation",
                  in->where, f->name, off);
    else
        cli_error("%s: %s has length %.9g, it must be 1 within 1e-6; --normalize divides by it", in->where, f->name,
                  off);
    return EXIT_SCENARIO;
}

/* Of the two quaternions or MRP of an attitude, the one nearer to that of the line before. */
static void follow(conversion *c, double *own, double *out)
{
    if (c->started && c->to->is_quaternion) {
        double previous[4];
        if (c->to->from(previous, c->last) == LIE_OK) lie_quat_near(own, own, previous);
        c->to->to(out, own);
    }
    if (c->started && c->to->is_mrp) lie_mrp_near(out, out, c->last);
    memcpy(c->last, out, sizeof c->last);
    c->started = 1;
}

static void write_numbers(conversion *c, double *out)
{
    char buffer[JSON_NUMBER];
    for (int i = 0; i < c->to->count; i++) out[i] += 0.0; /* no -0 */
    if (c->as_json) {
        json_numbers(&c->report, NULL, c->to->count, out);
        return;
    }
    for (int i = 0; i < c->to->count; i++) printf("%s%s", i ? " " : "", json_shortest(buffer, out[i]));
    putchar('\n');
}

static cli_exit convert(conversion *c, numbers *in)
{
    double own[FORM_NUMBERS], out[FORM_NUMBERS] = {0.0};
    if (in->count != in->form->count) return wrong_count(in, "");
    lie_status status = c->normalize ? form_normalize(in->form, in->value) : LIE_OK;
    if (status == LIE_OK) status = form_read(c->from, own, in->value);
    if (status == LIE_OK) status = form_write(c->to, out, own);
    if (status != LIE_OK) return refuse(c, in, status);
    if (c->continuous) follow(c, own, out);
    write_numbers(c, out);
    return EXIT_FINE;
}

/* Every line of standard input; empty ones and those that begin with # are passed over. */
static cli_exit convert_lines(conversion *c)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    long number = 0;
    cli_exit code = EXIT_FINE;
    if (isatty(STDIN_FILENO)) fprintf(stderr, "%d numbers a line: %s; Ctrl-D ends\n", c->from->count, c->from->numbers);
    while (code == EXIT_FINE && (length = getline(&line, &room, stdin)) >= 0) {
        numbers in = {.form = c->from};
        const char *text = line + strspn(line, " \t\r\n");
        snprintf(in.where, sizeof in.where, "stdin:%ld", ++number);
        if (*text == '#' || (*text == '\0' && strlen(line) == (size_t)length)) continue;
        if (strlen(line) != (size_t)length) {
            cli_error("%s: a NUL byte; expected %d numbers: %s", in.where, c->from->count, c->from->numbers);
            code = EXIT_SCENARIO;
        }
        if (code == EXIT_FINE) code = add_numbers(&in, text);
        if (code == EXIT_FINE) code = convert(c, &in);
    }
    free(line);
    if (ferror(stdin)) cli_error("stdin: cannot be read");
    return ferror(stdin) ? EXIT_SCENARIO : code;
}

static cli_exit convert_words(conversion *c, int words, char **word)
{
    numbers in = {.form = c->from, .where = "convert"};
    cli_exit code = EXIT_FINE;
    for (int i = 0; i < words && code == EXIT_FINE; i++) code = add_numbers(&in, word[i]);
    return code == EXIT_FINE ? convert(c, &in) : code;
}

static cli_exit convert_all(conversion *c, int words, char **word)
{
    json *j = &c->report;
    if (c->as_json) {
        *j = (json){.out = stdout};
        json_open(j, NULL, '{');
        json_text(j, "from", c->from->name);
        json_text(j, "to", c->to->name);
        json_text(j, "numbers", c->to->numbers);
        json_open(j, "values", '[');
    }
    cli_exit code = words ? convert_words(c, words, word) : convert_lines(c);
    if (c->as_json) {
        json_close(j);
        json_close(j);
    }
    return code;
}

static void list_json(void)
{
    json j = {.out = stdout};
    json_open(&j, NULL, '[');
    for (int i = 0; form_at(i); i++) {
        const form *f = form_at(i);
        json_open(&j, NULL, '{');
        json_text(&j, "name", f->name);
        json_text(&j, "kind", form_kind_name(f->kind));
        json_integer(&j, "count", f->count);
        json_text(&j, "numbers", f->numbers);
        json_text(&j, "what", f->what);
        json_close(&j);
    }
    json_close(&j);
}

static cli_exit list_forms(int as_json)
{
    const char *kind = "";
    if (as_json) {
        list_json();
        return EXIT_FINE;
    }
    for (int i = 0; form_at(i); i++) {
        const form *f = form_at(i);
        if (strcmp(kind, form_kind_name(f->kind)) != 0) {
            kind = form_kind_name(f->kind);
            printf("%s%s%s%s\n", i ? "\n" : "", cli_paint(stdout, CLI_BOLD), kind, cli_paint(stdout, CLI_PLAIN));
        }
        printf("  %-16s %2d  %-24s %s\n", f->name, f->count, f->numbers, f->what);
    }
    return EXIT_FINE;
}

static const form *named(const char *option, const char *name)
{
    const form *f = name ? form_find(name) : NULL;
    if (!name) cli_error("convert needs --%s NAME; 'liestep convert --list' shows the names", option);
    if (name && !f) cli_unknown("form", name, form_name, "'liestep convert --list' shows the names");
    return f;
}

enum { FROM, TO, NORMALIZE, CONTINUOUS, JSON, LIST };
static const cli_option options[] = {
    [FROM] = {"from", 'f', "NAME", "the form of the numbers given"},
    [TO] = {"to", 't', "NAME", "the form wanted, of the same kind"},
    [NORMALIZE] = {"normalize", 'n', NULL, "first make a quaternion or axis unit, a matrix orthogonal"},
    [CONTINUOUS] = {"continuous", 'c', NULL, "of q and -q, of s and its shadow, take what continues the line before"},
    [JSON] = {"json", 0, NULL, "write JSON"},
    [LIST] = {"list", 'l', NULL, "show the names of all forms"},
    {0},
};

static cli_exit run(int argc, char **argv)
{
    const char *name[2] = {NULL, NULL};
    int given[LIST + 1] = {0}, words = 0;
    cli_arguments a = {argc, argv, .at = 1, .options = options};
    for (int k; (k = cli_next(&a)) != CLI_END;) {
        if (k == CLI_WRONG) return EXIT_USAGE;
        if (k == CLI_OPERAND)
            argv[words++] = argv[a.at - 1];
        else
            given[k] = 1;
        if (k == FROM || k == TO) name[k] = a.value;
    }
    if (given[LIST]) return list_forms(given[JSON]);
    conversion c = {.normalize = given[NORMALIZE], .continuous = given[CONTINUOUS], .as_json = given[JSON]};
    c.from = named("from", name[FROM]);
    c.to = c.from ? named("to", name[TO]) : NULL;
    if (!c.from || !c.to) return EXIT_USAGE;
    if (c.from->kind != c.to->kind) {
        cli_error("%s is of the kind %s and %s of the kind %s; only forms of the same kind convert into each other",
                  c.from->name, form_kind_name(c.from->kind), c.to->name, form_kind_name(c.to->kind));
        return EXIT_USAGE;
    }
    return convert_all(&c, words, argv);
}

const cli_command command_convert = {
    .name = "convert",
    .summary = "one attitude in another convention",
    .help =
        "usage: liestep convert --from NAME --to NAME [NUMBER...]\n"
        "\n"
        "Converts attitudes between quaternions, matrices, rotation vectors, MRP and Euler angles, and between the\n"
        "conventions of 42, Basilisk, Trick, PX4, Fossen and CCSDS; also poses, twists and 6x6 inertias.\n"
        "Without numbers it reads sets of them from standard input, one a line; # begins a comment line.\n"
        "Numbers are separated by spaces or commas. The result has all the digits a double has.\n",
    .run = run,
    .options = options,
    .examples = "  liestep convert --from quat --to euler_zyx_deg 0.5 0.5 0.5 0.5\n"
                "  liestep convert --from euler_zyx_deg --to basilisk_mrp 30 -10 5\n"
                "  liestep convert --from 42 --to trick <attitudes.txt\n"
                "  liestep convert --list\n",
};
