# liestep. `make run` and `make test` do everything, from installing what is missing to the result; meson builds.
# `make help` lists the rest.

BUILD = build
PREFIX = /usr/local
MESON = meson setup --wrap-mode=nodownload -Db_colorout=auto --prefix=$(PREFIX)
SETUP = @tools/setup.sh

# $(call configure,DIRECTORY,OPTIONS): once; meson itself notices later changes of the build files. What else is in the
# directory stays: pictures of `make run`, and what was compiled.
configure = @test -f $(1)/build.ninja || { echo "building in $(1)"; rm -rf $(1)/meson-*; mkdir -p $(1); \
	$(3) $(MESON) $(1) $(2) >$(1)/configure.log 2>&1 || { tail -n 20 $(1)/configure.log; exit 1; }; \
	sed -n 's/.*WARNING: //p' $(1)/configure.log; }

# $(call build,DIRECTORY,TARGETS): silent but for warnings and errors
build = @ninja -C $(1) build.ninja >$(1)/build.log || { tail -n 20 $(1)/build.log; exit 1; }; \
	ninja --quiet -C $(1) $(2) >$(1)/build.log; code=$$?; sed '/^ninja: no work to do/d' $(1)/build.log | head -n 80; exit $$code

.PHONY: run test recipes lint san msan fuzz accuracy long bench bits coverage docs format install clean help

run:      ## the main job: Poincare sections of an underwater vehicle beside RK4, a table and a picture
	$(SETUP)
	$(call configure,$(BUILD))
	$(call build,$(BUILD),cli/liestep)
	@$(BUILD)/cli/liestep section scenarios/vehicle_drift.yaml -s output.directory=$(BUILD) $(RUN_OPTIONS) --restart

test:     ## build and run all tests; the last line is "N passed, M failed"
	$(SETUP) test
	$(call configure,$(BUILD))
	$(call build,$(BUILD))
	@tools/run_tests.py $(BUILD)

recipes:  ## the worked examples of CONTRIBUTING.md, followed in a copy of the tree: what is added there works
	$(SETUP) test
	@python3 tests/project/check_recipes.py .

lint:     ## formatting, warnings of gcc and clang as errors, clang-tidy, cppcheck
	$(SETUP) test lint
	$(call configure,$(LINT_GCC),-Dwerror=true,CC=gcc CXX=g++)
	$(call configure,build-lint-clang,-Dwerror=true -Doptimization=0,CC=clang CXX=clang++)
	@tools/lint.sh $(LINT_GCC) build-lint-clang

san:      ## tests under the address and undefined-behaviour sanitizers, without four that only measure; some under valgrind
	$(SETUP) test san
	$(call configure,build-san,-Dwerror=true --buildtype=debugoptimized -Db_sanitize=address$(comma)undefined \
		-Dc_args='-g1 -fno-sanitize-recover=all -fsanitize=float-cast-overflow -fno-omit-frame-pointer')
	$(call configure,$(BUILD))
	$(call build,build-san)
	$(call build,$(BUILD))
	@LIE_ACCURACY_SAMPLES=$(SAN_SAMPLES) tools/run_tests.py build-san
	@tools/watched.sh valgrind $(BUILD) $(VALGRIND_TESTS)

msan:     ## tests of liestep-core under MemorySanitizer: what is read before it is set
	$(SETUP) test msan
	$(call configure,build-msan,-Doptimization=1 -Db_sanitize=memory -Db_lundef=false -Dblas=disabled \
		-Dcli=disabled -Dpeers=disabled -Dopenmp=disabled -Dc_args='-g1 -fno-sanitize-recover=all -fno-omit-frame-pointer',CC=clang)
	$(call build,build-msan,$(MSAN_TESTS:%=tests/test_%))
	@LIE_ACCURACY_SAMPLES=$(SAN_SAMPLES) tools/watched.sh msan build-msan $(MSAN_TESTS)

accuracy: ## the error of every map against MPFR, in units of eps, per decade of the angle; ACCURACY_SAMPLES (100) each
	$(SETUP) test
	$(call configure,$(BUILD))
	$(call build,$(BUILD),tests/accuracy)
	@$(BUILD)/tests/accuracy --samples $(ACCURACY_SAMPLES)

long:     ## LONG_STEPS (a hundred million) of the free body: drift of momentum and of the group element
	$(SETUP)
	$(call configure,$(BUILD))
	$(call build,$(BUILD),tests/long_run)
	@$(BUILD)/tests/long_run $(LONG_STEPS)

fuzz:     ## the readers of scenarios and checkpoints under libFuzzer, FUZZ_SECONDS (60) each
	$(SETUP) fuzz
	$(call configure,$(BUILD))
	$(call build,$(BUILD),lib/libliestep-core.a)
	@tools/fuzz.sh $(BUILD) $(FUZZ_SECONDS)

bench:    ## methods beside RK4, GSL, SUNDIALS and odeint: error, cost, drift; time per map, per step; BENCH=quick: do they run? BENCH=short: 10 minutes
	$(SETUP) bench
	$(call configure,$(BUILD))
	$(call build,$(BUILD),cli/liestep bench-programs)
	@tools/bench_suite.py $(BUILD) $(BENCH_SUITE_$(BENCH))
	@$(BUILD)/bench/bench_maps $(BENCH_$(BENCH))
	@$(BUILD)/bench/bench_step $(BENCH_$(BENCH))
	@test ! -x $(BUILD)/bench/bench_lanes || $(BUILD)/bench/bench_lanes $(BENCH_$(BENCH))
	@test ! -x $(BUILD)/bench/bench_section || \
		$(BUILD)/bench/bench_section $(BENCH_$(BENCH)) $(BUILD)/cli/liestep scenarios/vehicle_section.yaml
	@test ! -x $(BUILD)/bench/bench_control || $(BUILD)/bench/bench_control $(BENCH_$(BENCH))

bits:     ## the same bits with gcc and clang, -O0 to -O3, with and without -march=native; BITS=short: two of these builds
	$(SETUP) test bits
	$(if $(filter long,$(BITS)),,$(call configure,$(BUILD)))
	$(if $(filter short,$(BITS)),$(call configure,build-lint-clang,-Dwerror=true -Doptimization=0,CC=clang CXX=clang++))
	@tools/bits.sh $(BITS_$(BITS))

coverage: ## lines of the library the tests reach; COVERAGE=quick: those that a few quick tests reach
	$(SETUP) test coverage
	$(call configure,build-cov,--buildtype=debug -Db_coverage=true)
	$(call build,build-cov,$(COVERAGE_TESTS_$(COVERAGE):%=tests/test_%))
	@find build-cov -name '*.gcda' -delete
	@LIE_ACCURACY_SAMPLES=$(SAN_SAMPLES) tools/run_tests.py build-cov $(COVERAGE_TESTS_$(COVERAGE))
	@gcovr --root . --filter groups/ --filter lib/ --gcov-ignore-parse-errors --fail-under-line $(COVERAGE_LEAST_$(COVERAGE)) build-cov

docs:     ## the HTML manual, with Doxygen; a warning or a dead link is an error
	$(SETUP) docs
	@tools/manual.py build-docs

format:   ## format all C and C++ sources
	$(SETUP) lint
	@tools/sources.sh | xargs clang-format -i

install:  ## install program, libraries, headers, man page, completion and examples into PREFIX (and DESTDIR)
	$(SETUP)
	$(call configure,$(BUILD))
	@meson configure $(BUILD) -Dprefix=$(PREFIX)
	$(call build,$(BUILD))
	@meson install -C $(BUILD) --no-rebuild --quiet
	@test -n "$(DESTDIR)" || ldconfig 2>/dev/null || true

clean:    ## remove all that was built
	@rm -rf $(BUILD) build-*

help:     ## this list
	@sed -n 's/^\([a-z]*\): *## /\1\t/p' Makefile | awk -F '\t' '{ printf "make %-9s %s\n", $$1, $$2 }'

comma = ,
LINT_GCC = build-lint-gcc
RUN_OPTIONS =
ACCURACY_SAMPLES = 100
LONG_STEPS = 1e8
BENCH = full
BENCH_quick = --quick
BENCH_short = --quick
BENCH_SUITE_quick = --quick --only free_body_1
BENCH_SUITE_short = --short
COVERAGE = full
COVERAGE_LEAST_full = 70
COVERAGE_LEAST_quick = 65
COVERAGE_TESTS_quick = groups ops product series bits badinput stepper_facts stepper_status system tableau \
	section surface dmv ensemble matgroup tangent convert rkmk legendre
BITS = long
BITS_long = build-bits
BITS_short = --short $(BUILD) build-lint-clang
BITS_update = --update $(BUILD)
SAN_SAMPLES = 2
FUZZ_SECONDS = 60
MSAN_TESTS = stepper_unset stepper_status stepper_facts adaptive dmv feedback rivals rkmk section splitting surface system tangent
VALGRIND_TESTS = convert_codes groups matgroup ops series so3 status unset unset_control
