/* SPDX-License-Identifier: MIT */
/* bench_peers.c: GSL, SUNDIALS and odeint from a module, if it is there; see bench.h. */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/contest/bench.h"

/* build/bench/precision/liestep-peers.so for build/cli/liestep */
static int beside_program(char *out, size_t size)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) return 0;
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    if (!slash) return 0;
    *slash = '\0';
    int length = snprintf(out, size, "%s/../bench/precision/liestep-peers.so", self);
    return length > 0 && (size_t)length < size && access(out, R_OK) == 0;
}

/* A symbol as a function: POSIX wants the detour. */
static peer_list_fn *entry(void *module)
{
    void *symbol = dlsym(module, PEER_SYMBOL);
    peer_list_fn *f = NULL;
    if (symbol) memcpy(&f, &symbol, sizeof f);
    return f;
}

cli_exit bench_peers_load(const char *path, const peer *const **list, const char **why)
{
    char found[PATH_MAX + 64];
    *list = NULL;
    *why =
        "GSL, SUNDIALS and Boost.odeint are not there: 'ninja -C build bench/precision/liestep-peers.so' builds them, "
        "--peers FILE takes them from elsewhere";
    if (path && strcmp(path, "none") == 0) {
        *why = "GSL, SUNDIALS and Boost.odeint were not asked for";
        return EXIT_FINE;
    }
    if (!path && !beside_program(found, sizeof found)) return EXIT_FINE;
    snprintf(found, path ? sizeof found : 0, "%s%s", path && !strchr(path, '/') ? "./" : "", path ? path : "");
    void *module = dlopen(found, RTLD_NOW | RTLD_LOCAL);
    peer_list_fn *f = module ? entry(module) : NULL;
    *list = f ? f(PEER_VERSION) : NULL;
    if (*list) *why = NULL;
    if (*list || !path) return EXIT_FINE;
    cli_error("--peers %s: %s", path, module ? "this is no module of peers, or of another version" : dlerror());
    return EXIT_USAGE;
}
