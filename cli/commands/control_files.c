/* SPDX-License-Identifier: MIT */
/* control_files.c: the table of an optimal manoeuvre, read back as a first guess, and its picture; see
 * control_files.h. */
#define _GNU_SOURCE

#include "cli/commands/control_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/gnuplot.h"
#include "cli/output/output.h"

enum { LINE = 8192, POSES = 12 };

typedef struct block_of {
    const char *name;
    const double *values;
    int count;
    int last; /* the last row that has its own */
} block_of;

enum { ELEMENT, VELOCITY, MOMENTUM, INPUT, MULTIPLIER, PARTS };

static void blocks_of(const lie_control_answer *a, block_of out[PARTS])
{
    out[ELEMENT] = (block_of){"g", a->g, a->group->size, a->N};
    out[VELOCITY] = (block_of){"xi", a->xi, a->n, a->N - 1};
    out[MOMENTUM] = (block_of){"nu", a->nu, a->n, a->N};
    out[INPUT] = (block_of){"u", a->u, a->m, a->N};
    out[MULTIPLIER] = (block_of){"p", a->p, a->n, a->N};
}

static double value_of(const block_of *b, int k, int i)
{
    return b->values[(k < b->last ? k : b->last) * b->count + i];
}

static cli_exit put(file *f, const char *text)
{
    return file_append(f, text, strlen(text));
}

static cli_exit put_rows(file *f, const lie_control_answer *a)
{
    block_of b[PARTS];
    char text[64];
    blocks_of(a, b);
    cli_exit code = put(f, "t");
    for (int j = 0; j < PARTS && code == EXIT_FINE; j++)
        for (int i = 0; i < b[j].count && code == EXIT_FINE; i++) {
            snprintf(text, sizeof text, ",%s%d", b[j].name, i + 1);
            code = put(f, text);
        }
    if (code == EXIT_FINE) code = put(f, "\n");
    for (int k = 0; k <= a->N && code == EXIT_FINE; k++) {
        snprintf(text, sizeof text, "%.17g", k * a->h);
        code = put(f, text);
        for (int j = 0; j < PARTS && code == EXIT_FINE; j++)
            for (int i = 0; i < b[j].count && code == EXIT_FINE; i++) {
                snprintf(text, sizeof text, ",%.17g", value_of(&b[j], k, i));
                code = put(f, text);
            }
        if (code == EXIT_FINE) code = put(f, "\n");
    }
    return code;
}

cli_exit control_write_csv(const lie_control_answer *a, file *f)
{
    cli_exit code = file_begin(f);
    if (code == EXIT_FINE) code = put_rows(f, a);
    if (code == EXIT_FINE) return file_commit(f);
    file_discard(f);
    return code;
}

/* The numbers of a line; how many there are, -1 if something is no number */
static int numbers_of_line(char *line, double *out, int most)
{
    int count = 0;
    for (char *word = strtok(line, ",\r\n"); word; word = strtok(0, ",\r\n")) {
        char *end;
        if (count == most) return -1;
        out[count++] = strtod(word, &end);
        if (end == word || *end != '\0') return -1;
    }
    return count;
}

/* Rows into xi and u. Answers what is wrong, or null. */
static const char *read_rows(const lie_control_answer *a, FILE *in, double *xi, double *u)
{
    static char line[LINE];
    double values[512];
    int columns = 1 + a->group->size + 3 * a->n + a->m, at_xi = 1 + a->group->size, at_u = at_xi + 2 * a->n;
    if (!fgets(line, sizeof line, in) || strncmp(line, "t,g1", 4) != 0)
        return "it does not begin with the line t,g1,...";
    for (int k = 0; k <= a->N; k++) {
        if (!fgets(line, sizeof line, in)) return "it has too few lines";
        if (numbers_of_line(line, values, 512) != columns) return "a line has not the columns of this problem";
        if (k < a->N) memcpy(xi + k * a->n, values + at_xi, (size_t)a->n * sizeof *xi);
        memcpy(u + k * a->m, values + at_u, (size_t)a->m * sizeof *u);
    }
    return fgets(line, sizeof line, in) ? "it has too many lines" : 0;
}

cli_exit control_read_guess(lie_control *c, const char *path)
{
    const lie_control_answer *a = lie_control_now(c);
    FILE *in = fopen(path, "re");
    if (!in) {
        cli_error("--guess %s: cannot be opened: %s", path, strerror(errno));
        return EXIT_SCENARIO;
    }
    double *heap = (double *)calloc((size_t)(a->N + 1) * (size_t)(a->n + a->m), sizeof *heap);
    const char *why = heap ? read_rows(a, in, heap, heap + a->N * a->n) : "there is not enough memory";
    fclose(in);
    if (!why) {
        lie_status status = lie_control_set(c, heap, heap + a->N * a->n);
        if (status != LIE_OK) why = lie_status_text(status);
    }
    free(heap);
    if (!why) return EXIT_FINE;
    cli_error("--guess %s: %s; give the csv of a manoeuvre with the same system, inputs and %d steps", path, why, a->N);
    return EXIT_SCENARIO;
}

/* Curves against time; those of intervals at their middles, which is `shift` behind their node */
static void print_curves(FILE *out, const char *title, const char *name, int column, int count, double shift, int last)
{
    fprintf(out, "set title '%s'\nplot [0:] ", title);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s$path every ::0::%d using ($1+%.9g):%d with lines lw 1.8 lt %d title '%s%d'", i > 0 ? ", " : "",
                last, shift, column + i, i + 1, name, i + 1);
    fputc('\n', out);
}

/* Position of node k, or its time where there is none; R in both cases */
static void pose_of(const lie_control_answer *a, int k, double R[9], double x[3])
{
    const double *g = a->g + k * a->group->size;
    int size = a->problem->actuation->base.group->size; /* without wheels */
    x[0] = 4.0 * k / a->N, x[1] = x[2] = 0.0;
    for (int i = 0; i < 9; i++) R[i] = i % 4 == 0 ? 1.0 : 0.0;
    if (size == 4) lie_quat_to_matrix(R, g);
    if (size >= 9) memcpy(R, g, 9 * sizeof *R);
    if (size == 12) memcpy(x, g + 9, 3 * sizeof *x);
    if (size == 2) x[0] = g[0], x[1] = g[1];
}

/* Where the body is, in six numbers at most: rotation vector from the start, position; titles of both */
static void print_path(FILE *out, const lie_control_answer *a)
{
    int size = a->problem->actuation->base.group->size, turns = size != 2, moves = size == 12 || size == 2;
    double R[9], R0[9], x[3], x0[3], D[9], r[3] = {0.0, 0.0, 0.0}, q[4];
    pose_of(a, 0, R0, x0);
    fputs("$body << END\n", out);
    for (int k = 0; k <= a->N; k++) {
        pose_of(a, k, R, x);
        for (int i = 0; i < 9; i++)
            D[i] = R0[i / 3] * R[i % 3] + R0[3 + i / 3] * R[3 + i % 3] + R0[6 + i / 3] * R[6 + i % 3];
        if (lie_matrix_to_quat(q, D) == LIE_OK) lie_quat_to_rotvec(r, q);
        fprintf(out, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", k * a->h, r[0], r[1], r[2], x[0], x[1], x[2]);
    }
    fprintf(out, "END\nset title '%s'\nplot ",
            turns && moves ? "rotation from the start (rad), position"
            : turns        ? "rotation from the start (rad)"
                           : "position");
    for (int i = turns ? 0 : 3; i < (moves ? size == 2 ? 5 : 6 : 3); i++)
        fprintf(out, "%s$body using 1:%d with lines lw 1.8 dt %d lt %d title '%s'", i > (turns ? 0 : 3) ? ", " : "",
                2 + i, i < 3 ? 1 : 2, i + 1, (const char *const[]){"r1", "r2", "r3", "x", "y", "z"}[i]);
    fputc('\n', out);
}

/* The strip of poses: the path, and the axes of the body along it, all in one scale */
static void print_poses(FILE *out, const lie_control_answer *a)
{
    double R[9], x[3], low[3], high[3], size = 0.0;
    fputs("$track << END\n", out);
    for (int k = 0; k <= a->N; k++) {
        pose_of(a, k, R, x);
        for (int i = 0; i < 3; i++) {
            low[i] = k == 0 || x[i] < low[i] ? x[i] : low[i];
            high[i] = k == 0 || x[i] > high[i] ? x[i] : high[i];
            size = high[i] - low[i] > size ? high[i] - low[i] : size;
        }
        fprintf(out, "%.6g %.6g %.6g\n", x[0], x[1], x[2]);
    }
    fputs("END\n$poses << END\n", out);
    for (int j = 0; j <= POSES; j++) {
        pose_of(a, (int)((long long)j * a->N / POSES), R, x);
        for (int i = 0; i < 3; i++)
            fprintf(out, "%.6g %.6g %.6g %.6g %.6g %.6g %d\n", x[0], x[1], x[2], 0.12 * size * R[i],
                    0.12 * size * R[3 + i], 0.12 * size * R[6 + i], i + 1);
    }
    fputs(
        "END\nset title 'poses along the path: axes 1, 2, 3 of the body'\nset view 62,28,1.7\nset view equal xyz\n"
        "unset border\nunset tics\nunset xlabel\nset key inside bottom center horizontal\nsplot $track with lines lw 1 "
        "lc rgb '#888888' notitle",
        out);
    for (int i = 0; i < 3; i++)
        fprintf(out, ", $poses every 3::%d using 1:2:3:4:5:6 with vectors nohead lw 2.4 lt %d title 'axis %d'", i,
                i + 1, i + 1);
    fputc('\n', out);
}

static cli_exit print_script(FILE *out, const char *name, void *ctx)
{
    const lie_control_answer *a = *(const lie_control_answer **)ctx;
    block_of b[PARTS];
    int column = 2, at[PARTS];
    size_t n = strlen(name);
    blocks_of(a, b);
    for (int j = 0; j < PARTS; j++) at[j] = column, column += b[j].count;
    fputs("$path << END\n", out);
    for (int k = 0; k <= a->N; k++) {
        fprintf(out, "%.9g", k * a->h);
        for (int j = 0; j < PARTS; j++)
            for (int i = 0; i < b[j].count; i++) fprintf(out, " %.9g", value_of(&b[j], k, i));
        fputc('\n', out);
    }
    fprintf(out, "END\nset terminal %s size 1200,1260 font 'sans,12' background rgb 'white'\n",
            n > 4 && strcmp(name + n - 4, ".png") == 0 ? "pngcairo" : "svg");
    fputs("set multiplot layout 3,2\nset xlabel 't [s]'\nset grid lc rgb '#DDDDDD' lt 1\nset offsets graph 0, 0, 0.04, "
          "0.04\nset key outside\n",
          out);
    for (int i = 0; i < 6; i++) {
        static const char *const colour[6] = {"#B34700", "#5E3C99", "#00786C", "#1F6FB4", "#7A7A00", "#A0307A"};
        fprintf(out, "set linetype %d lc rgb '%s'\n", i + 1, colour[i]);
    }
    print_curves(out, "inputs", "u", at[INPUT], b[INPUT].count, 0.0, a->N);
    print_curves(out, "velocities", "xi", at[VELOCITY], a->problem->actuation->base.group->dim, 0.5 * a->h, a->N - 1);
    print_curves(out, "momenta", "nu", at[MOMENTUM], b[MOMENTUM].count, 0.0, a->N);
    print_curves(out, "multipliers of the momenta", "p", at[MULTIPLIER], b[MULTIPLIER].count, 0.0, a->N);
    print_path(out, a);
    print_poses(out, a);
    fputs("unset multiplot\n", out);
    return EXIT_FINE;
}

cli_exit control_plot(const lie_control_answer *a, file *f, int *made)
{
    cli_exit code = gnuplot_draw(f, print_script, &a, made);
    return code == EXIT_FINE && *made ? file_commit(f) : code;
}
