/* SPDX-License-Identifier: MIT */
/* fuzz_files.c: a fuzz target without a fuzzer: every file of the folders named goes through LLVMFuzzerTestOneInput
 * once. So the corpus that is kept is tried by every compiler, with and without sanitizers.
 *
 *     fuzz_scenario tests/cli/corpus/scenario */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BYTES_MAX = 1 << 21, PATH_MAX_HERE = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static int try_file(const char *folder, const char *name)
{
    static uint8_t data[BYTES_MAX];
    char path[PATH_MAX_HERE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    size_t bytes = fread(data, 1, sizeof data, file);
    int fine = !ferror(file);
    fclose(file);
    if (fine) (void)LLVMFuzzerTestOneInput(data, bytes);
    return fine;
}

/* How many files there are; -1 if one of them, or the folder, cannot be read. */
static int try_folder(const char *path)
{
    DIR *folder = opendir(path);
    int count = folder ? 0 : -1;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        if (!try_file(path, entry->d_name)) {
            count = -1;
            break;
        }
        count++;
    }
    if (folder) closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int count = try_folder(argv[i]);
        if (count <= 0) {
            fprintf(stderr, "fuzz_files: %s: there is nothing that can be read\n", argv[i]);
            return 1;
        }
        printf("%s: %d files\n", argv[i], count);
    }
    return 0;
}
