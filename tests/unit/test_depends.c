/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "eval/depends.h"

static const char *const system_folders[] = { "/usr", "/etc/alternatives" };

/* Whether `expected` is the first file of a list that lies elsewhere. */
static bool finds(const char *list, const char *expected)
{
	static char part[] = "/opt/gcc";
	char *parts_v[] = { part };
	const struct ao_strs parts = { .v = parts_v, .count = 1 };
	const struct ao_depends_places places = {
		.folder = "/tmp/build",
		.system = system_folders,
		.system_count = AO_ARRAY_SIZE(system_folders),
		.parts = &parts,
	};
	char *got = ao_depends_outside(list, strlen(list), &places);
	bool same = expected ? got && !strcmp(got, expected) : !got;

	if (!same)
		printf("# got: %.80s\n", got ? got : "nothing");
	free(got);
	return same;
}

static void sources_and_the_systems_headers_are_fine(void)
{
	EXPECT(finds("0.o: kernel.c sub/tile.h /usr/include/math.h \\\n"
		     " /opt/gcc/include/x.h /tmp/build/ccx.s\n",
		     NULL));
	EXPECT(finds("", NULL));
	EXPECT(finds("0.o:", NULL));
}

static void a_file_that_is_elsewhere_is_found(void)
{
	EXPECT(finds("0.o: /etc/passwd", "/etc/passwd"));
	EXPECT(finds("0.o: kernel.c \\\r\n /etc/passwd \\\n x.h\n",
		     "/etc/passwd"));
	EXPECT(finds("0.o:\t/etc/shadow\n", "/etc/shadow"));
}

static void a_longer_name_is_another_folder(void)
{
	EXPECT(finds("0.o: /usrx/a", "/usrx/a"));
	EXPECT(finds("0.o: /tmp/build2/a", "/tmp/build2/a"));
	EXPECT(finds("0.o: /opt/gc", "/opt/gc"));
}

static void dots_lead_nowhere(void)
{
	EXPECT(finds("0.o: ../secret", "../secret"));
	EXPECT(finds("0.o: /usr/../etc/passwd", "/usr/../etc/passwd"));
	EXPECT(finds("0.o: /usr//../etc/./passwd", "/usr//../etc/./passwd"));
	EXPECT(finds("0.o: /../../usr/include/./x.h a/../b.h", NULL));
	EXPECT(finds("0.o: ../build/x.h ...", NULL));
	EXPECT(finds("0.o: /..", "/.."));
}

static void quotes_of_make_are_taken_away(void)
{
	EXPECT(finds("0.o: /a\\ b/c", "/a b/c"));
	EXPECT(finds("0.o: /a$$b", "/a$b"));
	EXPECT(finds("0.o: /a\\#b", "/a#b"));
	EXPECT(finds("0.o: a\\ /etc/passwd", NULL));
	EXPECT(finds("0.o: /a\\", "/a\\"));
}

static void only_the_first_word_is_a_target(void)
{
	EXPECT(finds("0.o: /etc/x:", "/etc/x:"));
	EXPECT(finds("/etc/x: kernel.c", NULL));
	EXPECT(finds("/etc/x kernel.c", "/etc/x"));
}

static void a_name_without_end_is_elsewhere(void)
{
	size_t len = 1 << 20;
	char *list = ao_xmalloc(len + 1);

	memset(list, 'a', len);
	list[len] = '\0';
	memcpy(list, "x: ", 3);
	EXPECT(!finds(list, NULL));
	free(list);
}

int main(void)
{
	RUN(sources_and_the_systems_headers_are_fine);
	RUN(a_file_that_is_elsewhere_is_found);
	RUN(a_longer_name_is_another_folder);
	RUN(dots_lead_nowhere);
	RUN(quotes_of_make_are_taken_away);
	RUN(only_the_first_word_is_a_target);
	RUN(a_name_without_end_is_elsewhere);
	return tap_done();
}
