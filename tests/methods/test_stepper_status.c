/* SPDX-License-Identifier: MIT */
/* What can be wrong with a stepper, a state or a step has its own status, and what failed leaves no trace. */
#include "tests/support/stepper_fixture.h"

static fixture_groups all;
static fixture f;
static walker w;

void setUp(void)
{
    fixture_groups_make(&all);
    fixture_make(&f, &lie_so3_cay_ops, POTENTIAL);
}

void tearDown(void)
{
}

/* init with these options must say `status` and touch neither the stepper nor, memory apart, report a size. */
static void init_refused(lie_status status, const lie_system *sys, const lie_options *opt, void *work, size_t bytes)
{
    lie_stepper *st = NULL;
    TEST_ASSERT_EQUAL(status, lie_stepper_init(&st, sys, opt, work, bytes));
    TEST_ASSERT_NULL(st);
    if (status == LIE_ERR_MEMORY)
        TEST_ASSERT_TRUE(lie_stepper_memsize(sys, opt) > 0);
    else
        TEST_ASSERT_TRUE(lie_stepper_memsize(sys, opt) == 0);
}

static void options_refused(lie_status status, const lie_options *opt)
{
    init_refused(status, &f.sys, opt, w.work, sizeof w.work);
}

void test_stepper_status_names(void)
{
    options_refused(LIE_ERR_UNKNOWN_NAME, &(lie_options){.method = "no_such"});
    options_refused(LIE_ERR_UNKNOWN_NAME, &(lie_options){.method = ""});
    options_refused(LIE_ERR_UNKNOWN_NAME, 0);
    options_refused(LIE_ERR_UNKNOWN_NAME, &(lie_options){.method = "sv", .retraction = "polar"});
    const lie_method *method = lie_method_builtin(2), *kept = method;
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_method_find(&method, "SV"));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_method_find(&method, 0));
    TEST_ASSERT_TRUE(method == kept);
    TEST_ASSERT_NULL(lie_method_builtin(-1));
    TEST_ASSERT_NULL(lie_method_builtin(lie_method_builtin_count()));
}

/* Every method can be found by its name, and no name is there twice. */
void test_stepper_status_every_method_is_found(void)
{
    for (int i = 0; i < lie_method_builtin_count(); i++) {
        const lie_method *found = 0;
        TEST_ASSERT_EQUAL(LIE_OK, lie_method_find(&found, lie_method_builtin(i)->name));
        TEST_ASSERT_TRUE_MESSAGE(found == lie_method_builtin(i), lie_method_builtin(i)->name);
    }
}

static int aliases_seen;

/* The word is an alias of m, and nothing else has it for a name. */
static void check_alias(const char *word, const lie_method *m)
{
    const lie_method *found = 0;
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_method_find(&found, word), word);
    TEST_ASSERT_TRUE_MESSAGE(found == m, word);
    TEST_ASSERT_TRUE_MESSAGE(
        strcmp(word, "auto") != 0 && strspn(word, "abcdefghijklmnopqrstuvwxyz_0123456789") == strlen(word), word);
    aliases_seen++;
    for (int i = 0; i < lie_method_builtin_count(); i++) {
        const lie_method *other = lie_method_builtin(i);
        char list[256];
        int count = 0;
        snprintf(list, sizeof list, "%s", other->aliases ? other->aliases : "");
        for (char *at = strtok(list, " "); at; at = strtok(0, " ")) count += strcmp(at, word) == 0;
        TEST_ASSERT_EQUAL_INT_MESSAGE(other == m, count, word);
        TEST_ASSERT_TRUE_MESSAGE(strcmp(other->name, word) != 0, word);
    }
}

/* So can it by its aliases, of which none is there twice or the name of another one; the stepper keeps the name. */
void test_stepper_status_every_alias_is_one_method(void)
{
    const lie_method *none = 0;
    for (int i = 0; i < lie_method_builtin_count(); i++) {
        const lie_method *m = lie_method_builtin(i);
        char list[256], *words[8];
        int count = 0;
        snprintf(list, sizeof list, "%s", m->aliases ? m->aliases : "");
        for (char *at = strtok(list, " "); at && count < 8; at = strtok(0, " ")) words[count++] = at;
        for (int k = 0; k < count; k++) check_alias(words[k], m);
    }
    TEST_ASSERT_TRUE(aliases_seen > 40);
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_method_find(&none, "stoermer"));
    TEST_ASSERT_EQUAL(LIE_ERR_UNKNOWN_NAME, lie_method_find(&none, "strang_splitting splitting2"));
    walker_init(&w, &f.sys, "stoermer_verlet", 0, 0);
    TEST_ASSERT_EQUAL_STRING("sv", lie_stepper_options(w.st)->method);
}

void test_stepper_status_euler_poincare_needs_a_free_system(void)
{
    static const int terms[3] = {POTENTIAL, GYRO, GENERAL};
    for (int k = 0; k < 3; k++) {
        fixture_make(&f, &lie_so3_cay_ops, terms[k]);
        options_refused(LIE_ERR_METHOD, &(lie_options){.method = "ep"});
    }
    lie_heavy_top top = {{1.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0}, 1.0, {0.1, 0.2, 1.0}, 9.81};
    lie_system sys;
    TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, "S3"));
    init_refused(LIE_ERR_METHOD, &sys, &(lie_options){.method = "ep"}, w.work, sizeof w.work);
    fixture_make(&f, &lie_so3_cay_ops, EXTERNAL);
    walker_init(&w, &f.sys, "ep", 0, 0);
}

void test_stepper_status_tableaux(void)
{
    static const double A[4] = {0.25, 0.1, 0.3, 0.25}, b[2] = {0.4, 0.6}, c[2] = {0.35, 0.55};
    static const double zero[2] = {1.0, 0.0}, nan[4] = {0.25, (double)NAN, 0.3, 0.25}, inf[2] = {0.4, (double)INFINITY};
    const lie_tableau good = {.name = "own", .stages = 2, .order = 1, .A = A, .b = b, .c = c, .source = ""};
    lie_tableau bad[] = {good, good, good, good, good, good, good, good, good, good, good, good};
    bad[0].b = zero, bad[1].A = nan, bad[2].b = inf, bad[3].stages = 0, bad[4].stages = LIE_STAGES_MAX + 1;
    bad[5].A = 0, bad[6].b = 0, bad[7].c = 0, bad[8].c = inf;
    bad[9].embedded = inf, bad[10].dense = b, bad[11].dense = inf, bad[11].degree = 1;
    for (size_t k = 0; k < 3; k++) {
        const char *method = (const char *const[]){"rkmk", "vprk", "vprk0"}[k];
        walker_init(&w, &f.sys, method, 0, &good);
        options_refused(LIE_ERR_TABLEAU, &(lie_options){.method = method});
        for (size_t i = k == 0; i < sizeof bad / sizeof bad[0]; i++) /* a weight 0 is no fault for rkmk */
            options_refused(LIE_ERR_TABLEAU, &(lie_options){.method = method, .tableau = &bad[i]});
    }
}

/* Exactly memsize bytes are enough for every method, and one byte less is not; nothing is written behind them. */
void test_stepper_status_memory(void)
{
    const lie_tableau *tab;
    TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, "gauss3"));
    for (int i = 0; i < lie_method_builtin_count(); i++) {
        const lie_method *method = lie_method_builtin(i);
        const lie_options opt = {.method = method->name, .tableau = method->needs_tableau ? tab : 0};
        lie_random rng = {51u};
        lie_state s;
        if (!fixture_make_for(&f, method, &lie_se3_cay_ops, POTENTIAL) &&
            !fixture_make_for(&f, method, &lie_so3_cay_ops, POTENTIAL))
            TEST_ASSERT_TRUE(fixture_make_for(&f, method, &lie_s3_cay_ops, POTENTIAL));
        size_t bytes = lie_stepper_memsize(&f.sys, &opt), used = bytes / sizeof(double);
        TEST_ASSERT_TRUE(bytes > 0 && bytes % sizeof(double) == 0 && used < FIXTURE_WORK - 2);
        init_refused(LIE_ERR_MEMORY, &f.sys, &opt, 0, bytes);
        init_refused(LIE_ERR_MEMORY, &f.sys, &opt, w.work, bytes - 1);
        init_refused(LIE_ERR_MEMORY, &f.sys, &opt, w.work, 0);
        init_refused(LIE_ERR_MEMORY, &f.sys, &opt, (char *)w.work + 1, bytes + 8);
        init_refused(LIE_ERR_MEMORY, &f.sys, &opt, (char *)w.work + 4, bytes + 8);
        keep_fill(FIXTURE_WORK, w.work);
        TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&w.st, &f.sys, &opt, w.work, bytes));
        state_random(&f.sys, &s, &rng, 0.6, 0.7);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.05, 3));
        kept_at(__LINE__, FIXTURE_WORK - (int)used, w.work + used);
    }
}

void test_stepper_status_system(void)
{
    static const double changes[5][2] = {{0, 0.0}, {4, -2.0}, {1, 0.7}, {8, (double)NAN}, {3, (double)INFINITY}};
    static const lie_status expected[5] = {LIE_ERR_INERTIA, LIE_ERR_INERTIA, LIE_ERR_INERTIA, LIE_ERR_NOT_FINITE,
                                           LIE_ERR_NOT_FINITE};
    double inertia[9] = {1.0, 0, 0, 0, 2.0, 0, 0, 0, 3.0};
    const lie_options opt = {.method = "sv"};
    for (int k = 0; k < 5; k++) {
        double changed[9];
        lie_system sys = f.sys;
        memcpy(changed, inertia, sizeof changed);
        changed[(int)changes[k][0]] = changes[k][1];
        sys.inertia = changed;
        init_refused(expected[k], &sys, &opt, w.work, sizeof w.work);
    }
    lie_ops torn = lie_so3_cay_ops;
    lie_system sys = f.sys;
    torn.dtaut = 0;
    sys.group = &torn;
    init_refused(LIE_ERR_INCOMPLETE, &sys, &opt, w.work, sizeof w.work);
    sys = f.sys;
    sys.force = 0;
    init_refused(LIE_ERR_INCOMPLETE, &sys, &opt, w.work, sizeof w.work);
    init_refused(LIE_ERR_INCOMPLETE, 0, &opt, w.work, sizeof w.work);
}

/* A step that must fail and leave the state as it is, to the bit. */
static void step_refused(lie_status status, lie_state *s, double h, const char *what)
{
    static lie_state before;
    memcpy(&before, s, sizeof before);
    TEST_ASSERT_EQUAL_MESSAGE(status, lie_run(w.st, s, h, 3), what);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&before, s, sizeof before, what);
}

void test_stepper_status_step_and_time(void)
{
    lie_random rng = {52u};
    lie_state s;
    for (int i = 0; i < lie_method_builtin_count(); i++) {
        const lie_method *method = lie_method_builtin(i);
        if (method->needs_tableau) continue;
        if (!fixture_make_for(&f, method, &lie_so3_cay_ops, POTENTIAL)) continue;
        walker_init(&w, &f.sys, method->name, 0, 0);
        state_random(&f.sys, &s, &rng, 0.6, 0.7);
        step_refused(LIE_ERR_STEP_SIZE, &s, 0.0, method->name);
        step_refused(LIE_ERR_STEP_SIZE, &s, -0.0, method->name);
        step_refused(LIE_ERR_STEP_SIZE, &s, (double)NAN, method->name);
        step_refused(LIE_ERR_STEP_SIZE, &s, (double)INFINITY, method->name);
        step_refused(LIE_ERR_STEP_SIZE, &s, -(double)INFINITY, method->name);
        s.t = 1e17;
        step_refused(LIE_ERR_TIME, &s, 0.05, method->name);
        step_refused(LIE_ERR_TIME, &s, -0.05, method->name);
        s.t = 1.0;
        step_refused(LIE_ERR_TIME, &s, 1e-17, method->name);
        for (int k = 0; k < 3; k++) {
            lie_state bad = s;
            (k == 0 ? &bad.t : k == 1 ? bad.g + 7 : bad.m + 2)[0] = i % 2 ? (double)NAN : (double)INFINITY;
            step_refused(LIE_ERR_NOT_FINITE, &bad, 0.05, method->name);
        }
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.05, 3));
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.05, 0));
        TEST_ASSERT_TRUE(s.steps == 3);
    }
}

void test_stepper_status_state(void)
{
    double g[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, x[3] = {0.3, -0.4, 0.5}, far[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1.01};
    double nan[9] = {1, 0, 0, 0, (double)NAN, 0, 0, 0, 1}, inf[3] = {0.3, (double)INFINITY, 0.5};
    static lie_state s, before;
    memset(&s, 0x5a, sizeof s);
    before = s;
    for (int k = 0; k < 2; k++) {
        lie_status (*set)(const lie_system *, lie_state *, int, int, double, const double *, const double *) =
            k ? lie_state_set_in : lie_state_set_momentum_in;
        TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, set(&f.sys, LIE_STATE_IN(&s), (double)NAN, g, x));
        TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, set(&f.sys, LIE_STATE_IN(&s), 0.0, nan, x));
        TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, set(&f.sys, LIE_STATE_IN(&s), 0.0, g, inf));
        TEST_ASSERT_EQUAL(LIE_ERR_NOT_IN_GROUP, set(&f.sys, LIE_STATE_IN(&s), 0.0, far, x));
        TEST_ASSERT_EQUAL(LIE_ERR_SIZE, set(&f.sys, &s, 8, 6, 0.0, g, x));
        TEST_ASSERT_EQUAL(LIE_ERR_SIZE, set(&f.sys, &s, 9, 2, 0.0, g, x));
        TEST_ASSERT_EQUAL(LIE_ERR_SIZE, set(&f.sys, &s, LIE_SIZE_MAX + 1, 3, 0.0, g, x));
        TEST_ASSERT_EQUAL_MEMORY(&before, &s, sizeof s);
    }
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(&f.sys, &s, 0.0, g, x));
    double E = KEEP, out[3] = {KEEP, KEEP, KEEP};
    s.m[1] = (double)NAN;
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_state_velocity(&f.sys, out, &s));
    TEST_ASSERT_EQUAL(LIE_ERR_NOT_FINITE, lie_state_energy(&f.sys, &E, &s));
    kept_at(__LINE__, 1, &E);
    kept_at(__LINE__, 3, out);
}

static int stop_at(void *ctx, const lie_stepper *st, const lie_state *s)
{
    (void)st;
    return s->steps >= *(const int *)ctx;
}

void test_stepper_status_observer(void)
{
    lie_random rng = {53u};
    lie_state s, alone;
    int at = 6;
    walker_init(&w, &f.sys, "sv", 0, 0);
    state_random(&f.sys, &s, &rng, 0.6, 0.7);
    alone = s;
    TEST_ASSERT_EQUAL(LIE_STOPPED, lie_run_observed(w.st, &s, 0.05, 100, 3, stop_at, &at));
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &alone, 0.05, 6));
    TEST_ASSERT_TRUE(s.steps == 6);
    TEST_ASSERT_EQUAL(LIE_STOPPED, lie_run_observed(w.st, &s, 0.05, 100, 3, stop_at, &at));
    TEST_ASSERT_EQUAL(LIE_ERR_SIZE, lie_run_observed(w.st, &s, 0.05, 100, 0, stop_at, &at));
    TEST_ASSERT_TRUE(s.steps == 6);
}

/* One iteration is not enough at a large step, whatever the method; the answer is a status and the state as it was. */
void test_stepper_status_no_convergence(void)
{
    const lie_tableau *tab;
    lie_random rng = {54u};
    TEST_ASSERT_EQUAL(LIE_OK, lie_tableau_find(&tab, "gauss2"));
    for (int i = 0; i < lie_method_builtin_count(); i++)
        for (int k = 0; k < all.count; k++) {
            const lie_method *method = lie_method_builtin(i);
            const lie_options opt = {
                .method = method->name, .tableau = method->needs_tableau ? tab : 0, .max_iterations = 1};
            lie_state s;
            if (strcmp(all.G[k]->group, "R") == 0) continue; /* linear: one iteration is enough for some */
            if (!fixture_make_for(&f, method, all.G[k], POTENTIAL) || method->explicit_) continue;
            TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&w.st, &f.sys, &opt, w.work, sizeof w.work));
            state_random(&f.sys, &s, &rng, 0.6, 1.5);
            step_refused(LIE_ERR_NO_CONVERGENCE, &s, 0.3, method->name);
        }
}

/* A body that turns too far in a step for the skew map, beyond a quarter turn on SO3: refused with the state as it was,
 * because the map's domain is left or because the branch of solutions ends before. */
void test_stepper_status_domain(void)
{
    static const double lengths[3] = {4.0, 8.0, 100.0};
    lie_random rng = {55u};
    int left = 0;
    for (int i = 0; i < 3 * lie_method_builtin_count(); i++) {
        const lie_method *method = lie_method_builtin(i / 3);
        static lie_state s, before;
        if (method->needs_tableau) continue;
        lie_claims claims;
        lie_method_claims(&claims, method, &lie_so3_skew_ops, NULL);
        if (claims.no_retraction || !fixture_make_for(&f, method, &lie_so3_skew_ops, POTENTIAL)) continue;
        walker_init(&w, &f.sys, method->name, 0, 0);
        state_random(&f.sys, &s, &rng, 0.6, 0.7);
        memcpy(&before, &s, sizeof s);
        lie_status status = lie_step(w.st, &s, lengths[i % 3]);
        int goes_on = strcmp(method->name, "lobatto3a2") == 0; /* its half steps stay in the domain, however long */
        require(status == LIE_ERR_DOMAIN || status == LIE_ERR_NO_CONVERGENCE || goes_on, method->name);
        if (status != LIE_OK) TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&before, &s, sizeof s, method->name);
        left += status == LIE_ERR_DOMAIN;
    }
    TEST_ASSERT_TRUE(left > 0);
}

static double blind_after;

/* Drive that is lost from some time on. */
static void blind_external(const lie_system *sys, double *out, double t, const double *g, const double *xi,
                           const double *u)
{
    fixture_external(sys, out, t, g, xi, u);
    if (t > blind_after) out[1] = (double)NAN;
}

/* A callback that turns NaN in the middle of a run, or of a composed step: the state is that of the last good step. */
void test_stepper_status_failure_in_the_middle_of_a_run(void)
{
    lie_random rng = {56u};
    for (int i = 0; i < lie_method_builtin_count(); i++) {
        const lie_method *method = lie_method_builtin(i);
        lie_state start, s, good;
        if (method->needs_tableau) continue;
        if (!fixture_make_for(&f, method, &lie_s3_cay_ops, EXTERNAL | POTENTIAL) || !f.sys.external) continue;
        f.sys.external = blind_external;
        state_random(&f.sys, &start, &rng, 0.6, 0.7);
        s = start;
        blind_after = 0.0625 * 7.3;
        walker_init(&w, &f.sys, method->name, 0, 0);
        lie_status status = lie_run(w.st, &s, 0.0625, 20);
        TEST_ASSERT_EQUAL_MESSAGE(LIE_ERR_NOT_FINITE, status, method->name);
        if (!method->composition) TEST_ASSERT_TRUE_MESSAGE(s.steps == 7, method->name); /* substeps reach further */
        TEST_ASSERT_TRUE_MESSAGE(s.steps == 7 || s.steps == 6, method->name);
        walker_init(&w, &f.sys, method->name, 0, 0);
        good = start, blind_after = HUGE_VAL;
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &good, 0.0625, s.steps));
        states_same_bits(f.sys.group, &s, &good, method->name);
    }
}

static double blind_spot[FIXTURE_DIM * 4];
static int blind;

/* A force that is not known in one place. */
static void blind_force(const lie_system *sys, double *F, const double *g)
{
    fixture_force(sys, F, g);
    if (blind && memcmp(g, blind_spot, (size_t)sys->group->size * sizeof *g) == 0) F[0] = (double)NAN;
}

/* A step that failed leaves no trace in the stepper either: where its cause is gone, the run goes on as if nothing had
 * happened. */
void test_stepper_status_failure_is_forgotten(void)
{
    static const char *const names[4] = {"sv", "ve_fwd", "ve_bwd", "sv_suzuki4"};
    const lie_ops *const groups[5] = {&lie_so3_cay_ops, &lie_s3_exp_ops, &lie_se3_cay_ops, &all.product[0],
                                      &lie_so3_skew_ops};
    for (int i = 0; i < 20; i++) {
        lie_random rng = {57u};
        lie_state s, clean;
        const char *name = names[i % 4];
        fixture_make(&f, groups[i / 4], POTENTIAL);
        f.sys.force = blind_force;
        blind = 0;
        state_random(&f.sys, &clean, &rng, 0.6, 0.7);
        s = clean;
        walker_init(&w, &f.sys, name, 0, 0);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &clean, 0.05, 11));
        memcpy(blind_spot, clean.g, sizeof blind_spot);
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &clean, 0.05, 12));
        blind = 1;
        walker_init(&w, &f.sys, name, 0, 0);
        TEST_ASSERT_EQUAL_MESSAGE(LIE_ERR_NOT_FINITE, lie_run(w.st, &s, 0.05, 23), name);
        TEST_ASSERT_TRUE(s.steps == (i % 4 == 1 ? 11 : 10));
        blind = 0;
        TEST_ASSERT_EQUAL(LIE_OK, lie_run(w.st, &s, 0.05, 23 - s.steps));
        states_same_bits(f.sys.group, &s, &clean, name);
    }
}
