# SPDX-License-Identifier: MIT
# git accelopt
#
#   CC CFLAGS CPPFLAGS LDFLAGS   as usual; ours are added to them
#   prefix DESTDIR               where to install: /usr/local
#   O                            build folder: build
#   SANITIZE=address,undefined   build with sanitizers (use another O)
#   WERROR=1                     warnings are errors
#   layers="util model ..."      build these folders of src alone
#   unit="test_x ..."            build and run these unit tests alone

CC ?= cc
CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config
prefix ?= /usr/local
bindir ?= $(prefix)/bin
O ?= build
layers ?= util model store eval rewrite agents evolve collab cli

packages = libgit2 libcjson libsodium
warnings = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wold-style-definition -Wwrite-strings \
	-Wpointer-arith -Wcast-qual -Wvla -Wformat=2 -Wundef -Wswitch-enum \
	-Wimplicit-fallthrough -Wfloat-conversion -Wnull-dereference
ifdef WERROR
warnings += -Werror
endif
ifdef SANITIZE
sanitize = -fsanitize=$(SANITIZE) -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
endif
ao_cflags = -std=c11 -D_GNU_SOURCE -Isrc -MMD -MP -fPIE $(warnings) \
	$(sanitize) \
	$(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags $(packages)))
ao_libs = $(shell $(PKG_CONFIG) --libs $(packages)) -lm

src := $(sort $(foreach d,$(layers),$(wildcard src/$d/*.c)))
obj := $(patsubst src/%.c,$O/%.o,$(filter-out src/cli/main.c,$(src)))
unit ?= $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c))
unit_programs := $(patsubst %,$O/unit/%,$(unit))

.PHONY: all check check-unit clean
all: $O/git-accelopt

$O/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(ao_cflags) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

$O/libaccelopt.a: $(obj)
	$(AR) rcs $@ $^

$O/git-accelopt: $O/cli/main.o $O/libaccelopt.a
	$(CC) $(sanitize) -pie $(CFLAGS) $(LDFLAGS) -o $@ $^ $(ao_libs) $(LDLIBS)

$O/unit/%: tests/unit/%.c $O/libaccelopt.a
	@mkdir -p $(@D)
	$(CC) $(ao_cflags) -Itests/unit $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) \
		-o $@ $< $O/libaccelopt.a $(ao_libs) $(LDLIBS)

check-unit: $(unit_programs)
	prove -e '' $(unit_programs)

check: all check-unit

clean:
	rm -rf $O

-include $(wildcard $O/*/*.d)
