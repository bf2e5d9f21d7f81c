# SPDX-License-Identifier: MIT
# git accelopt
#
# Variables, on the command line of make:
#
#   CC CFLAGS CPPFLAGS LDFLAGS   as usual; what we need is added to them
#   prefix DESTDIR               where to install: /usr/local, below nothing
#   bindir mandir datadir bashcompdir
#   O                            build folder: build
#   V=1                          show the commands
#   WERROR=1                     warnings are errors
#   SANITIZE=address,undefined   build with sanitizers (use another O)
#   FUZZ_TIME=30                 seconds for each fuzz target
#   BENCH_REPO=folder            bench-long: keep the repository, go on with it
#   BENCH_NULL=folder            bench-long: the same, of null searches
#   BENCH_ROWS=folder            bench-long: the same, of rows about the judge
#   long="null_search ..."       bench-long: run these alone
#   BENCH_GAINS=file             bench-long: keep the gains of plans, the same
#   JOBS                         how many tests run at once: 2
#   layers="util model ..."      build these folders of src alone
#   unit="test_x ..."            build and run these unit tests alone
#   cli="t2000 ..."              run these user-level tests alone
#
# Targets: `make help`.

CC ?= cc
CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config
INSTALL ?= install
CLANG ?= clang
O ?= build
JOBS ?= 2
FUZZ_TIME ?= 30

prefix ?= /usr/local
bindir ?= $(prefix)/bin
datarootdir ?= $(prefix)/share
datadir ?= $(datarootdir)
mandir ?= $(datarootdir)/man
bashcompdir ?= $(datarootdir)/bash-completion/completions
pkgdatadir = $(datadir)/git-accelopt

# --- what is built of what ---------------------------------------------------

# Folders of src, lowest first; one that is empty or not there is fine.
layers ?= $(shell sed -n '/^\#/!s/:.*//p' src/LAYERS)
src := $(sort $(foreach d,$(layers),$(wildcard src/$d/*.c)))
headers := $(sort $(foreach d,$(layers),$(wildcard src/$d/*.h)))
obj := $(patsubst src/%.c,$O/%.o,$(filter-out src/cli/main.c,$(src)))
unit ?= $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))
unit_programs := $(patsubst %,$O/unit/%,$(unit))
fuzz ?= $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
fuzz_programs := $(patsubst %,$O/fuzz/%,$(fuzz))
bench_programs := $(patsubst tests/%.c,$O/%,$(wildcard tests/bench/*.c))
long_programs := $(patsubst tests/%.c,$O/%,$(wildcard tests/bench/long/*.c))
helper_programs := $(patsubst tests/%.c,$O/%,$(wildcard tests/helper/*.c))
cli ?= t
cli_tests = $(sort $(foreach t,$(cli),$(wildcard tests/$t*.sh)))
manuals := $(wildcard docs/man/*.[157])
suite := nkibench/published.json $(sort $(shell \
	find nkibench/tasks -type f ! -name '.*' ! -name '*~' 2>/dev/null))
completion = contrib/completion/git-accelopt.bash

# --- flags -------------------------------------------------------------------

packages = libgit2 libcjson libsodium zlib
# Where that fails, have-deps below says why.
pkg_cflags := $(patsubst -I%,-isystem %,$(shell \
	$(PKG_CONFIG) --cflags $(packages) 2>/dev/null))
pkg_libs := $(shell $(PKG_CONFIG) --libs $(packages) 2>/dev/null)

warnings = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Werror=implicit-function-declaration \
	-Wold-style-definition -Wwrite-strings \
	-Wpointer-arith -Wcast-qual -Wvla -Wformat=2 -Wundef -Wswitch-enum \
	-Wimplicit-fallthrough -Wfloat-conversion -Wnull-dereference
ifdef WERROR
warnings += -Werror
endif

hardening = -fstack-protector-strong
ifdef SANITIZE
sanitize = -fsanitize=$(SANITIZE) -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
else ifneq ($(filter -O1 -O2 -O3 -Os,$(CFLAGS)),)
hardening += -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
endif

ao_cppflags = -D_GNU_SOURCE -Isrc $(pkg_cflags)
ao_cflags = -std=c11 -fPIE $(warnings) $(hardening) $(sanitize)
ao_ldflags = -pie -Wl,-z,relro,-z,now $(sanitize)
ao_libs = $(pkg_libs) -lm

compile = $(CC) $(ao_cppflags) $(extra_cppflags) $(CPPFLAGS) $(ao_cflags) \
	$(CFLAGS)
link = $(ao_ldflags) $(LDFLAGS)
libs = $O/libaccelopt.a $(ao_libs) $(LDLIBS)

# A make of its own, with as many jobs as tests unless told otherwise.
submake = $(MAKE) --no-print-directory \
	$(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS))

ifdef V
say = @:
else
say = @printf '  %-8s%s\n'
Q = @
endif

# --- build -------------------------------------------------------------------

.PHONY: all
all: $O/git-accelopt

# Rebuilt only when what it says has changed: objects depend on it.
.PHONY: force
flags = $(subst ','\'',$(compile) $(link))
$O/flags: force | $O/have-deps
	@mkdir -p $(@D)
	@echo '$(flags)' | cmp -s - $@ || echo '$(flags)' >$@
.PHONY: is-current
is-current:
	@echo '$(flags)' | cmp -s - $O/flags
$O/version: force
	@mkdir -p $(@D)
	@contrib/release/version | cmp -s - $@ || contrib/release/version >$@

# Says once, in words, which package is missing.
$O/have-deps: contrib/deps/install-deps
	@PKG_CONFIG='$(PKG_CONFIG)' CC='$(CC)' $< --check build
	@mkdir -p $(@D)
	@touch $@

$O/%.o: src/%.c $O/flags | $O/have-deps
	@mkdir -p $(@D)
	$(say) CC $<
	$Q$(compile) -MMD -MP -c -o $@ $<

$O/util/version.o: private extra_cppflags = -DAO_VERSION="\"$$(cat $O/version)\""
$O/util/version.o: $O/version
$O/cli/%.o: private extra_cppflags = -DAO_DATADIR='"$(pkgdatadir)"'

$O/libaccelopt.a: $(obj)
	$(say) AR $@
	@rm -f $@
	$Q$(AR) qcs $@ $^

$O/git-accelopt: $O/cli/main.o $O/libaccelopt.a
	$(say) LINK $@
	$Q$(CC) $(CFLAGS) $(link) -o $@ $< $(libs)

# Tests, benchmarks, and fuzz targets with the plain driver, which goes through
# their corpus; with an engine instead they run for as long as it likes.
$O/unit/%.o: private extra_cppflags = -Itests/unit
$O/bench/%.o: private extra_cppflags = -Itests/unit
$O/fuzz/%.o: private extra_cppflags = -Itests/fuzz
$O/%.o: tests/%.c $O/flags | $O/have-deps
	@mkdir -p $(@D)
	$(say) CC $<
	$Q$(compile) -MMD -MP -c -o $@ $<

$O/unit/%: $O/unit/%.o $O/libaccelopt.a
	$(say) LINK $@
	$Q$(CC) $(CFLAGS) $(link) -o $@ $< $(libs)

# Programs that user-level tests call.
$O/helper/%: $O/helper/%.o $O/libaccelopt.a
	$(say) LINK $@
	$Q$(CC) $(CFLAGS) $(link) -o $@ $< $(libs)

$O/bench/%: $O/bench/%.o $O/libaccelopt.a
	$(say) LINK $@
	$Q$(CC) $(CFLAGS) $(link) -o $@ $< $(libs)

fuzz_engine ?= $O/fuzz/driver.o
$O/fuzz/%: $O/fuzz/%.o $O/fuzz/driver.o $O/libaccelopt.a
	$(say) LINK $@
	$Q$(CC) $(CFLAGS) $(link) -o $@ $< $(fuzz_engine) $(libs)

# What pattern rules make on the way is kept.
.SECONDARY:

-include $(wildcard $O/*/*.d $O/*/*/*.d)

# --- install -----------------------------------------------------------------

# Each installed file as SOURCE:FOLDER:NAME, so that uninstall removes the same.
# FOLDER stands for a variable, as folders may have blanks in them.
man_name = man$(patsubst .%,%,$(suffix $1))/$(notdir $1)
installed = $(foreach m,$(manuals),$m:man:$(call man_name,$m)) \
	$(foreach f,$(suite),$f:data:$f) \
	$(completion):completion:git-accelopt

# In a recipe's loop: $$to is where the file of $$pair goes.
target_of_pair = rest=$${pair\#*:}; \
	case $${rest%%:*} in \
	man) to='$(DESTDIR)$(mandir)' ;; \
	data) to='$(DESTDIR)$(pkgdatadir)' ;; \
	completion) to='$(DESTDIR)$(bashcompdir)' ;; \
	esac; \
	to=$$to/$${rest\#*:}

.PHONY: install install-strip uninstall
install: all
	$(INSTALL) -d '$(DESTDIR)$(bindir)'
	$(INSTALL) $(strip_flag) -m 755 $O/git-accelopt '$(DESTDIR)$(bindir)'
	@set -e; for pair in $(installed); \
	do \
		$(target_of_pair); \
		$(INSTALL) -d "$${to%/*}"; \
		$(INSTALL) -m 644 "$${pair%%:*}" "$$to"; \
	done

install-strip: strip_flag = -s
install-strip: install

uninstall:
	rm -f '$(DESTDIR)$(bindir)/git-accelopt'
	@for pair in $(installed); do $(target_of_pair); rm -f "$$to"; done
	@if test -d '$(DESTDIR)$(pkgdatadir)'; then find \
		'$(DESTDIR)$(pkgdatadir)' -depth -type d -empty -delete; fi

# --- tests -------------------------------------------------------------------

# Make what is missing on a bare machine, then start afresh with it.
.PHONY: deps
deps:
	@CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' contrib/deps/install-deps \
		build test

prove = BUILD='$(abspath $O)' AO_TEST_CACHE='$(abspath $O)/test-cache' \
	prove -j$(JOBS) -e ''

.PHONY: check test check-all check-unit check-cli check-fuzz
test: check
check: deps
	+@$(submake) check-programs
	+@$(MAKE) --no-print-directory check-all

.PHONY: check-programs
check-programs: all $(unit_programs) $(fuzz_programs) $(helper_programs)

check-all: check-programs
	$(prove) $(unit_programs) $(fuzz_programs) $(cli_tests)

check-unit: $(unit_programs)
	$(prove) $(unit_programs)

check-cli: all $(helper_programs)
	$(prove) $(cli_tests)

check-fuzz: $(fuzz_programs)
	$(prove) $(fuzz_programs)

.PHONY: fuzz fuzz-programs
fuzz:
	@contrib/deps/install-deps --check build fuzz
	+@$(submake) O=$O/fuzzing CC=$(CLANG) \
		CFLAGS='-O1 -g' fuzz_engine=-fsanitize=fuzzer \
		SANITIZE=address,undefined,fuzzer-no-link fuzz-programs
	@tests/fuzz/run $O/fuzzing/fuzz $(FUZZ_TIME) $(fuzz)

fuzz-programs: $(fuzz_programs)

.PHONY: bench
bench: all $(bench_programs)
	@BUILD='$(abspath $O)' tests/bench/run $(bench_programs) \
		$(sort $(wildcard tests/bench/*.sh))

# What takes hours; see tests/bench/long for what can be set.
.PHONY: bench-long
bench-long: all $(long_programs) $O/unit/test_learning
	@BUILD='$(abspath $O)' tests/bench/run \
		$(sort $(or $(long:%=tests/bench/long/%.sh), \
		$(wildcard tests/bench/long/*.sh)))

# gcov counts in a build of its own; then a line for each file of src.
.PHONY: coverage
coverage:
	@rm -rf $O/coverage
	+@$(MAKE) --no-print-directory O=$O/coverage CFLAGS='-O0 -g --coverage' \
		check
	@contrib/coverage/summary $O/coverage

.PHONY: demo
demo: deps
	+@$(submake) all
	@PATH='$(abspath $O)':"$$PATH" GIT_ACCELOPT_DATA='$(CURDIR)' \
		contrib/demo/demo.sh

# --- lint --------------------------------------------------------------------

# Each kind of check is a target, so that -k shows the faults of all of them.
lints = layers cycles third-party text banned headers format tidy analyzer \
	cppcheck shell man

.PHONY: lint lint-all $(lints:%=lint-%)
lint:
	@contrib/deps/install-deps --check build lint
	+@$(submake) -k --output-sync lint-all

lint-all: $(lints:%=lint-%)

lint-layers lint-cycles lint-third-party lint-text lint-banned: lint-%:
	$(say) LINT $*
	$Qtests/lint/check-$*

c_files = $(wildcard src/*/*.[ch] tests/*/*.[ch] tests/bench/long/*.[ch])
lint-format:
	$(say) LINT format
	$Qclang-format --dry-run --Werror $(c_files)

# Stamps: only what has changed is looked at again.
$O/lint/%.header: src/%.h $O/flags
	@mkdir -p $(@D)
	$(say) HEADER $<
	$Qecho '#include "$*.h"' | $(compile) -Werror -fsyntax-only -x c -
	@touch $@
lint-headers: $(patsubst src/%.h,$O/lint/%.header,$(headers))

$O/lint/%.tidy: src/%.c $O/%.o .clang-tidy
	@mkdir -p $(@D)
	$(say) TIDY $<
	$Qclang-tidy --quiet $< -- -std=c11 $(ao_cppflags) $(CPPFLAGS) \
		$(warnings) 2>$@.err || { cat $@.err >&2; exit 1; }
	@touch $@
lint-tidy: $(patsubst src/%.c,$O/lint/%.tidy,$(src))

# Its warning of shifts misreads vectors.
$O/lint/%.analyzed: src/%.c $O/%.o
	@mkdir -p $(@D)
	$(say) ANALYZE $<
	$Qgcc -std=c11 $(ao_cppflags) $(CPPFLAGS) -O2 -fanalyzer -Werror \
		-Wno-analyzer-shift-count-overflow -c -o /dev/null $<
	@touch $@
lint-analyzer: $(patsubst src/%.c,$O/lint/%.analyzed,$(src))

lint-cppcheck:
	$(say) LINT cppcheck
	@mkdir -p $O/lint/cppcheck
	$Qcppcheck --quiet --error-exitcode=1 --std=c11 --language=c \
		--enable=warning,performance,portability --inline-suppr \
		--suppressions-list=tests/lint/cppcheck-suppressions \
		--cppcheck-build-dir=$O/lint/cppcheck -j$(JOBS) \
		-D_GNU_SOURCE -Isrc src

lint-shell:
	$(say) LINT shell
	$Qfind tests contrib .ci -type f -exec grep -l '^#!/bin/[a-z]*sh' {} + | \
		xargs shellcheck

lint-man:
	$(say) LINT man
	$Qmandoc -T lint -W warning $(manuals)

.PHONY: format
format:
	clang-format -i $(c_files)

# --- the rest ----------------------------------------------------------------

compile_commands.json: $(src) Makefile
	@{ for f in $(src); do \
		printf '%s{"directory":"%s","file":"%s","command":"%s"}\n' \
			"$${comma-[}" '$(CURDIR)' "$$f" \
			'$(CC) -std=c11 $(ao_cppflags) $(warnings) -c '"$$f"; \
		comma=,; \
	done; echo ']'; } >$@

.PHONY: tags
tags:
	ctags $(src) $(headers)

.PHONY: dist
dist:
	@contrib/release/dist $O

.PHONY: clean distclean help
clean:
	rm -rf $O

distclean: clean
	rm -f tags compile_commands.json

help:
	@sed -n '2,/^\# Targets/s/^\# \{0,1\}//p' Makefile | sed '$$d'
	@echo 'Targets:'
	@echo
	@cat contrib/make-help
