/* SPDX-License-Identifier: MIT */
/* Checkpoints: read back as they were written, refused if a single bit is wrong; two generations on disk; a stepper
 * that goes on from one takes the same steps to the bit, whatever the method. */
#define _GNU_SOURCE

#include <fcntl.h>
#include <liestep/systems.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/output/checkpoint.h"
#include "tests/support/near.h"
#include "tests/support/random.h"

static unsigned char bytes[CHECKPOINT_BYTES + 1];
static checkpoint sample, found;
static size_t length;

void setUp(void)
{
    lie_random rng = {2385u};
    sample = (checkpoint){.fingerprint = 0xFEDCBA9876543210u, .size = 4, .dim = 3, .records = 12, .iterations = 771};
    sample.state.steps = 123456789012345;
    random_vector(&rng, 1, &sample.state.t, 7.0);
    random_vector(&rng, 1, &sample.state.low_t, 1e-17);
    random_vector(&rng, 4, sample.state.g, 1.0);
    random_vector(&rng, 4, sample.state.low_g, 1e-17);
    random_vector(&rng, 3, sample.state.m, 2.0);
    random_vector(&rng, 3, sample.state.low_m, 1e-17);
    sample.last_record = 3.25, sample.seconds = 17.5, sample.iterations_max = 9, sample.residual_max = 3e-16;
    sample.memories = 5;
    random_vector(&rng, 5, sample.memory, 1.0);
    sample.watches = 2;
    sample.watch[0] = (watched){1.5, -2.5, 4.25};
    sample.watch[1] = (watched){0.5, 0.25, 0.125};
    for (unsigned i = 0; i < CHECKPOINT_FILES; i++)
        sample.file[i] = (file_position){1000u + i, 90u * i, 100u * i, 77u << i};
    length = checkpoint_encode(bytes, &sample);
    TEST_ASSERT_TRUE(length < checkpoint_room(&sample));
    memset(&found, 0x5A, sizeof found);
}

/* The checksum of the bytes as they are now. */
static void seal(void)
{
    unsigned long long crc = file_crc(0, bytes, length - 8);
    for (size_t i = 0; i < 8; i++) bytes[length - 8 + i] = (unsigned char)(crc >> 8 * i);
}

/* Refused with a sentence that contains this, and nothing was given out. */
static void refused_at(int line, size_t n, const char *sentence)
{
    static checkpoint untouched;
    char text[200];
    const char *why = checkpoint_decode(&found, bytes, n);
    snprintf(text, sizeof text, "line %d: %zu bytes: %s", line, n, why ? why : "accepted");
    TEST_ASSERT_TRUE_MESSAGE(why && strstr(why, sentence), text);
    memset(&untouched, 0x5A, sizeof untouched);
    TEST_ASSERT_EQUAL_MEMORY(&untouched, &found, sizeof found);
}

#define REFUSED_CHECKPOINT(n, sentence) refused_at(__LINE__, n, sentence)

void test_crc_is_that_of_xz(void)
{
    TEST_ASSERT_TRUE(file_crc(0, "123456789", 9) == 0x995DC9BBDF1939FAu);
    TEST_ASSERT_TRUE(file_crc(file_crc(0, "1234", 4), "56789", 5) == 0x995DC9BBDF1939FAu);
}

void test_checkpoint_reads_back(void)
{
    static unsigned char again[CHECKPOINT_BYTES];
    TEST_ASSERT_NULL(checkpoint_decode(&found, bytes, length));
    TEST_ASSERT_EQUAL(length, checkpoint_encode(again, &found));
    TEST_ASSERT_EQUAL_MEMORY(bytes, again, length);
    TEST_ASSERT_TRUE(found.fingerprint == sample.fingerprint && found.state.steps == sample.state.steps);
    SAME(4, found.state.g, sample.state.g);
    SAME(4, found.state.low_g, sample.state.low_g);
    SAME(3, found.state.m, sample.state.m);
    SAME(3, found.state.low_m, sample.state.low_m);
    SAME(5, found.memory, sample.memory);
    SAME(1, &found.state.low_t, &sample.state.low_t);
    TEST_ASSERT_TRUE(found.watch[0].worst == 4.25 && found.watch[1].last == 0.25);
    TEST_ASSERT_TRUE(found.file[2].bytes == 1002 && found.file[2].fixed == 180 && found.file[2].body == 200 &&
                     found.file[2].crc == 77u << 2);
    TEST_ASSERT_TRUE(found.records == 12 && found.iterations == 771 && found.iterations_max == 9);
}

void test_checkpoint_largest_fits(void)
{
    static checkpoint large;
    large.size = LIE_STATE_SIZE, large.dim = LIE_STATE_DIM, large.records = 1;
    large.memories = CHECKPOINT_MEMORY, large.watches = CHECKPOINT_WATCHED;
    length = checkpoint_encode(bytes, &large);
    TEST_ASSERT_TRUE(length < CHECKPOINT_BYTES);
    TEST_ASSERT_NULL(checkpoint_decode(&found, bytes, length));
}

/* The format, byte by byte where it shows: the same on machines of either byte order. */
void test_checkpoint_byte_order_is_fixed(void)
{
    const unsigned char head[12] = {'L', 'I', 'E', 'S', 'T', 'E', 'P', 'C', 3, 0, 0, 0};
    const unsigned char fingerprint[8] = {0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE};
    const unsigned char half[8] = {0, 0, 0, 0, 0, 0, 0xE0, 0x3F};
    unsigned char packed[8];
    double value = 0.5;
    TEST_ASSERT_EQUAL_MEMORY(head, bytes, 12);
    TEST_ASSERT_EQUAL(length, (size_t)(bytes[12] | bytes[13] << 8));
    TEST_ASSERT_EQUAL_MEMORY(fingerprint, bytes + 32, 8);
    file_pack(packed, &value, 1);
    TEST_ASSERT_EQUAL_MEMORY(half, packed, 8);
    file_unpack(&value, half, 1);
    TEST_ASSERT_TRUE(value == 0.5);
}

void test_checkpoint_with_a_flipped_bit_is_refused(void)
{
    for (size_t i = 0; i < length; i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[i] ^= (unsigned char)(1 << bit);
            REFUSED_CHECKPOINT(length, "");
            bytes[i] ^= (unsigned char)(1 << bit);
        }
    TEST_ASSERT_NULL(checkpoint_decode(&found, bytes, length));
}

void test_checkpoint_torn_anywhere_is_refused(void)
{
    for (size_t n = 0; n < length; n++) REFUSED_CHECKPOINT(n, n < 8 ? "is no checkpoint" : "is torn");
    REFUSED_CHECKPOINT(length + 1, "is damaged");
}

void test_checkpoint_of_zeros_is_refused(void)
{
    memset(bytes, 0, sizeof bytes);
    REFUSED_CHECKPOINT(length, "is no checkpoint");
}

/* All of these have a right checksum. */
void test_checkpoint_of_another_version_is_refused(void)
{
    bytes[8] = 4;
    seal();
    REFUSED_CHECKPOINT(length, "newer liestep");
    bytes[8] = 2;
    seal();
    REFUSED_CHECKPOINT(length, "older liestep");
    bytes[8] = 0;
    seal();
    REFUSED_CHECKPOINT(length, "no such version");
    bytes[8] = 3;
    bytes[16]++;
    seal();
    REFUSED_CHECKPOINT(length, "another release");
}

/* Sizes and dimensions that are none or too large, a negative number of steps, memories too few and too many. */
void test_checkpoint_without_sense_is_refused(void)
{
    static const struct {
        size_t at;
        unsigned char value;
    } wrong[] = {{40, 0}, {40, 200}, {44, 0}, {44, 40}, {55, 0x80}, {240, 4}, {241, 0x10}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        unsigned char before = bytes[wrong[i].at];
        bytes[wrong[i].at] = wrong[i].value;
        seal();
        REFUSED_CHECKPOINT(length, "make no sense");
        bytes[wrong[i].at] = before;
    }
    bytes[63] = 0x7F, bytes[62] = 0xF8; /* t is NaN */
    seal();
    REFUSED_CHECKPOINT(length, "make no sense");
    length = checkpoint_encode(bytes, &sample) + 8; /* more than was read */
    bytes[12] = (unsigned char)(length & 0xFF), bytes[13] = (unsigned char)(length >> 8);
    seal();
    REFUSED_CHECKPOINT(length, "make no sense");
    length -= 8;
    const file_position wrong_file[] = {
        {1001, 1002, 1002, 0}, {1001, 500, 1002, 0}, {1001, 501, 500, 0}, {9000, 0, FILE_PATCH + 1, 0}};
    for (size_t i = 0; i < sizeof wrong_file / sizeof *wrong_file; i++) {
        sample.file[1] = wrong_file[i];
        checkpoint_encode(bytes, &sample);
        REFUSED_CHECKPOINT(length, "make no sense");
    }
    sample.file[1] = (file_position){9000, 0, FILE_PATCH, 0};
    sample.not_finite = -1;
    checkpoint_encode(bytes, &sample);
    REFUSED_CHECKPOINT(length, "make no sense");
}

/* Where many trajectories stand; a number of them that is not there is refused before there is memory for it. */
void test_checkpoint_of_many_trajectories(void)
{
    enum { MANY = 300 };
    double numbers[MANY];
    lie_random rng = {77u};
    static unsigned char large[CHECKPOINT_BYTES + 8 * MANY];
    random_vector(&rng, MANY, numbers, 1.0);
    sample.extras = MANY, sample.extra = numbers;
    TEST_ASSERT_EQUAL(sizeof large, checkpoint_room(&sample));
    size_t n = checkpoint_encode(large, &sample);
    TEST_ASSERT_EQUAL(length + 8 * MANY, n);
    TEST_ASSERT_NULL(checkpoint_decode(&found, large, n));
    TEST_ASSERT_EQUAL(MANY, found.extras);
    SAME(MANY, found.extra, numbers);
    checkpoint_free(&found);
    TEST_ASSERT_TRUE(!found.extra && found.extras == 0);
    memset(&found, 0x5A, sizeof found);
    size_t count = length - 16; /* where the number of them is */
    bytes[count + 6] = 0x10;
    seal();
    REFUSED_CHECKPOINT(length, "make no sense");
    bytes[count + 6] = 0, bytes[count + 7] = 0x80;
    seal();
    REFUSED_CHECKPOINT(length, "make no sense");
}

/* An empty folder for files, and its removal. */
static folder make_folder(char path[32])
{
    folder d = {path, -1};
    snprintf(path, 32, "/tmp/checkpoint.XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(path));
    d.fd = open(path, O_RDONLY | O_DIRECTORY);
    TEST_ASSERT_TRUE(d.fd >= 0);
    return d;
}

static void remove_folder(folder *d)
{
    folder_close(d);
    TEST_ASSERT_EQUAL(0, rmdir(d->path));
}

void test_checkpoint_keeps_two_generations(void)
{
    char path[32];
    const char *why;
    folder d = make_folder(path);
    checkpoint like = sample;
    TEST_ASSERT_EQUAL(0, checkpoint_read(&found, &d, "c", 0, &like, &why));
    for (int k = 1; k <= 3; k++) {
        sample.state.steps = k;
        TEST_ASSERT_EQUAL(EXIT_FINE, checkpoint_write(&d, "c", &sample, 0));
        TEST_ASSERT_EQUAL(1, checkpoint_read(&found, &d, "c", 0, &like, &why));
        TEST_ASSERT_EQUAL(k, found.state.steps);
        TEST_ASSERT_EQUAL(k > 1, checkpoint_read(&found, &d, "c", 1, &like, &why));
        TEST_ASSERT_EQUAL(k > 1 ? k - 1 : 1, found.state.steps);
    }
    like.fingerprint++;
    TEST_ASSERT_EQUAL(-1, checkpoint_read(&found, &d, "c", 0, &like, &why));
    TEST_ASSERT_NOT_NULL(strstr(why, "another scenario"));
    TEST_ASSERT_EQUAL(EXIT_FINE, checkpoint_remove(&d, "c"));
    remove_folder(&d);
}

/* A symbolic link of that name is not followed, a folder is not read. */
void test_checkpoint_reads_regular_files_only(void)
{
    char path[32];
    const char *why = 0;
    folder d = make_folder(path);
    TEST_ASSERT_EQUAL(EXIT_FINE, checkpoint_write(&d, "real", &sample, 0));
    TEST_ASSERT_EQUAL(0, symlinkat("real", d.fd, "c"));
    TEST_ASSERT_EQUAL(0, mkdirat(d.fd, "c.1", 0700));
    TEST_ASSERT_EQUAL(-1, checkpoint_read(&found, &d, "c", 0, &sample, &why));
    TEST_ASSERT_NOT_NULL(why);
    TEST_ASSERT_EQUAL(-1, checkpoint_read(&found, &d, "c", 1, &sample, &why));
    unlinkat(d.fd, "c.1", AT_REMOVEDIR);
    TEST_ASSERT_EQUAL(EXIT_FINE, checkpoint_remove(&d, "c"));
    TEST_ASSERT_EQUAL(EXIT_FINE, checkpoint_remove(&d, "real"));
    remove_folder(&d);
}

/* A fresh stepper put where the checkpoint says, as the program does it. */
static void restore(lie_stepper **st, lie_state *s, const lie_system *sys, const lie_options *opt, double *work,
                    size_t size)
{
    memset(work, 0, size);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(st, sys, opt, work, size));
    TEST_ASSERT_NULL(checkpoint_decode(&found, bytes, length));
    *s = found.state;
    lie_stepper_memory_set(*st, found.memory);
}

/* 40 steps, and 17 + checkpoint + 23: the same to the bit. 0: this method is not for this system. */
static int go_on(const lie_system *sys, const lie_options *opt, const double *xi)
{
    static double work[20000];
    double g[LIE_SIZE_MAX];
    const double h = 0.05;
    lie_stepper *st;
    lie_state s, whole;
    size_t size = lie_stepper_memsize(sys, opt);
    if (size == 0) return 0;
    TEST_ASSERT_TRUE(size <= sizeof work);
    sys->group->identity(sys->group, g);
    TEST_ASSERT_EQUAL(LIE_OK, lie_stepper_init(&st, sys, opt, work, size));
    TEST_ASSERT_EQUAL(LIE_OK, lie_state_set(sys, &s, 0.0, g, xi));
    TEST_ASSERT_EQUAL_MESSAGE(LIE_OK, lie_run(st, &s, h, 17), opt->method);
    checkpoint c = {.size = sys->group->size, .dim = sys->group->dim, .records = 1, .state = s};
    c.memories = lie_stepper_memory_count(st);
    TEST_ASSERT_TRUE(c.memories <= CHECKPOINT_MEMORY);
    lie_stepper_memory_get(st, c.memory);
    length = checkpoint_encode(bytes, &c);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s, h, 23));
    whole = s;
    restore(&st, &s, sys, opt, work, size);
    TEST_ASSERT_EQUAL(LIE_OK, lie_run(st, &s, h, 23));
    SAME(1, &s.t, &whole.t);
    SAME(sys->group->size, s.g, whole.g);
    SAME(sys->group->dim, s.m, whole.m);
    SAME(sys->group->size, s.low_g, whole.low_g);
    SAME(sys->group->dim, s.low_m, whole.low_m);
    return 1;
}

static int go_on_with_all_methods(const lie_system *sys, const char *retraction, const double *xi)
{
    int runs = 0;
    for (int i = 0; i < lie_method_builtin_count(); i++) {
        lie_options opt = {.method = lie_method_builtin(i)->name, .retraction = retraction};
        if (lie_method_builtin(i)->needs_tableau) lie_tableau_find(&opt.tableau, "gauss2");
        runs += go_on(sys, &opt, xi);
    }
    return runs;
}

void test_checkpoint_goes_on_with_the_same_bits(void)
{
    static const char *const groups[2] = {"SO3", "S3"}, *const retractions[3] = {"exp", "cay", "skew"};
    const double xi[6] = {0.7, 0.9, -0.6, 0.3, -0.2, 0.5}, diagonal[6] = {1.1, 2.3, 2.9, 5.0, 6.0, 7.0};
    lie_free_body body = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}};
    lie_heavy_top top = {{1.1, 0.1, -0.2, 0.1, 2.3, 0.15, -0.2, 0.15, 2.9}, 0.8, {0.3, -0.2, 1.0}, 9.81};
    lie_vehicle vehicle = {.weight = 9.0, .buoyancy = 9.5, .weight_at = {0.0, 0.1, -0.4}};
    lie_system sys;
    int runs = 0;
    lie_inertia_diagonal(6, vehicle.inertia, diagonal);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 2; i++) {
            TEST_ASSERT_EQUAL(LIE_OK, lie_free_body_system(&sys, &body, groups[i]));
            runs += go_on_with_all_methods(&sys, retractions[k], xi);
            TEST_ASSERT_EQUAL(LIE_OK, lie_heavy_top_system(&sys, &top, groups[i]));
            runs += go_on_with_all_methods(&sys, retractions[k], xi);
        }
        TEST_ASSERT_EQUAL(LIE_OK, lie_vehicle_system(&sys, &vehicle, NULL));
        runs += go_on_with_all_methods(&sys, retractions[k], xi);
    }
    TEST_ASSERT_TRUE(runs > 10 * lie_method_builtin_count());
}
