/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <sys/stat.h>
#include <unistd.h>

#include "util/file.h"

/* The folder in which all happens, and where the tests run. */
static char *folder;

/* Handle an error: its code. */
static enum ao_errcode code_of(struct ao_error *err)
{
	enum ao_errcode code = ao_error_code(err);

	ao_error_free(err);
	return code;
}

static enum ao_errcode write_text(const char *path, const char *text)
{
	return code_of(ao_file_write(path, text, strlen(text)));
}

static bool holds(const char *path, const char *text)
{
	struct ao_buf buf = AO_BUF_INIT(1000);
	bool result = !code_of(ao_file_read(&buf, path)) &&
		      !strcmp(buf.ptr, text);

	ao_buf_release(&buf);
	return result;
}

static void what_is_written_is_read_back(void)
{
	EXPECT(!write_text("a", "one\n"));
	EXPECT(holds("a", "one\n"));
	EXPECT(!write_text("a", ""));
	EXPECT(holds("a", ""));
}

static void reading_appends(void)
{
	struct ao_buf buf = AO_BUF_INIT(100);

	ao_buf_addstr(&buf, "before ");
	EXPECT(!write_text("a", "after"));
	EXPECT(!code_of(ao_file_read(&buf, "a")));
	EXPECT(!strcmp(buf.ptr, "before after"));
	ao_buf_release(&buf);
}

static void a_missing_file_is_not_found(void)
{
	struct ao_buf buf = AO_BUF_INIT(100);
	struct ao_error *err = ao_file_read(&buf, "no/such");

	EXPECT(ao_error_code(err) == AO_ENOTFOUND);
	EXPECT(err && strstr(ao_error_message(err), "'no/such'"));
	ao_error_free(err);
}

static void a_file_over_the_limit_leaves_the_buffer_as_it_was(void)
{
	struct ao_buf buf = AO_BUF_INIT(5);

	ao_buf_addstr(&buf, "x");
	EXPECT(!write_text("a", "12345"));
	EXPECT(code_of(ao_file_read(&buf, "a")) == AO_ELIMIT);
	EXPECT(!strcmp(buf.ptr, "x") && !buf.overflow);
	EXPECT(!write_text("a", "1234"));
	EXPECT(!code_of(ao_file_read(&buf, "a")));
	EXPECT(!strcmp(buf.ptr, "x1234"));
	ao_buf_release(&buf);
}

static void what_is_no_regular_file_is_not_read(void)
{
	struct ao_buf buf = AO_BUF_INIT(100);

	EXPECT(code_of(ao_file_read(&buf, ".")) == AO_EINVALID);
	EXPECT(!mkfifo("pipe", 0600));
	EXPECT(code_of(ao_file_read(&buf, "pipe")) == AO_EINVALID);
	EXPECT(code_of(ao_file_read(&buf, "/dev/zero")) == AO_EINVALID);
	ao_buf_release(&buf);
}

static void replacing_keeps_the_mode_and_leaves_nothing_beside(void)
{
	struct ao_strs names = { 0 };
	struct stat st;

	EXPECT(!code_of(ao_file_make_folder("r")));
	EXPECT(!write_text("r/f", "old") && !chmod("r/f", 0640));
	EXPECT(!code_of(ao_file_replace("r/f", "new", 3)));
	EXPECT(holds("r/f", "new"));
	EXPECT(!stat("r/f", &st) && (st.st_mode & 0777) == 0640);
	EXPECT(!code_of(ao_file_list(&names, "r")) && names.count == 1);
	ao_strs_release(&names);
}

static void a_file_that_did_not_exist_is_replaced_too(void)
{
	mode_t mask = umask(027);
	struct stat st;

	EXPECT(!code_of(ao_file_replace("fresh", "new", 3)));
	umask(mask);
	EXPECT(holds("fresh", "new"));
	EXPECT(!stat("fresh", &st) && (st.st_mode & 0777) == 0640);
}

static void a_folder_can_be_synced_and_nothing_else(void)
{
	EXPECT(!write_text("a", ""));
	EXPECT(!code_of(ao_file_sync_folder(".")));
	EXPECT(code_of(ao_file_sync_folder("a")) == AO_ENOTFOUND);
	EXPECT(code_of(ao_file_sync_folder("no/such")) == AO_ENOTFOUND);
}

static void replacing_where_there_is_no_folder_fails(void)
{
	EXPECT(code_of(ao_file_replace("no/such", "x", 1)) == AO_ENOTFOUND);
}

static void output_follows_links_and_leaves_devices_what_they_are(void)
{
	struct stat st;

	EXPECT(!write_text("page", "old") && !symlink("page", "to-page"));
	EXPECT(!code_of(ao_file_output("to-page", "new", 3)));
	EXPECT(holds("page", "new"));
	EXPECT(!lstat("to-page", &st) && S_ISLNK(st.st_mode));
	EXPECT(!code_of(ao_file_output("new-page", "new", 3)));
	EXPECT(holds("new-page", "new"));
	EXPECT(!symlink("/dev/null", "to-null"));
	EXPECT(!code_of(ao_file_output("to-null", "new", 3)));
	EXPECT(!stat("/dev/null", &st) && S_ISCHR(st.st_mode));
}

static void output_is_refused_before_there_is_any(void)
{
	EXPECT(!code_of(ao_file_output_check("another-page")));
	EXPECT(!ao_file_exists("another-page"));
	EXPECT(code_of(ao_file_output_check(".")) == AO_EINVALID);
	EXPECT(code_of(ao_file_output_check("no/such")) == AO_ENOTFOUND);
}

static void folders_are_made_with_those_above(void)
{
	struct stat st;

	EXPECT(!code_of(ao_file_make_folder("x/y/z")));
	EXPECT(!code_of(ao_file_make_folder("x/y/z")));
	EXPECT(!stat("x/y/z", &st) && S_ISDIR(st.st_mode));
	EXPECT(!code_of(ao_file_make_folder("x/w/")));
	EXPECT(!write_text("x/file", ""));
	EXPECT(code_of(ao_file_make_folder("x/file")) == AO_EIO);
	EXPECT(code_of(ao_file_make_folder("x/file/z")) != AO_OK);
}

static void names_are_listed_in_order(void)
{
	struct ao_strs names = { 0 };

	EXPECT(!code_of(ao_file_make_folder("l/sub")));
	EXPECT(!write_text("l/b", "") && !write_text("l/.a", ""));
	EXPECT(!code_of(ao_file_list(&names, "l")));
	EXPECT(names.count == 3 && !strcmp(names.v[0], ".a") &&
	       !strcmp(names.v[1], "b") && !strcmp(names.v[2], "sub"));
	ao_strs_release(&names);
	EXPECT(code_of(ao_file_list(&names, "no")) == AO_ENOTFOUND);
}

static void a_tree_is_removed_but_not_what_its_links_point_to(void)
{
	EXPECT(!code_of(ao_file_make_folder("keep")));
	EXPECT(!write_text("keep/me", "safe"));
	EXPECT(!code_of(ao_file_make_folder("t/a/b")));
	EXPECT(!write_text("t/a/f", ""));
	EXPECT(!symlink("../keep", "t/link") && !symlink("no", "t/dangling"));
	ao_file_remove_tree("t");
	EXPECT(!ao_file_exists("t") && holds("keep/me", "safe"));
	ao_file_remove_tree("t");
}

static void closed_folders_are_removed_too(void)
{
	EXPECT(!code_of(ao_file_make_folder("c/a/b")));
	EXPECT(!write_text("c/a/b/f", ""));
	EXPECT(!chmod("c/a/b", 0) && !chmod("c/a", 0) && !chmod("c", 0500));
	ao_file_remove_tree("c");
	EXPECT(!ao_file_exists("c"));
}

static void a_dangling_link_exists(void)
{
	EXPECT(!symlink("nowhere", "dangling"));
	EXPECT(ao_file_exists("dangling") && !ao_file_exists("nowhere"));
}

static void the_cache_is_where_xdg_says(void)
{
	char *path = NULL;
	char *expected = ao_xstrf("%s/cache/git-accelopt", folder);
	char *at_home = ao_xstrf("%s/.cache/git-accelopt", folder);
	char *cache = ao_xstrf("%s/cache", folder);

	setenv("XDG_CACHE_HOME", cache, 1);
	EXPECT(!code_of(ao_file_cache_folder(&path)));
	EXPECT(path && !strcmp(path, expected) && ao_file_exists(path));
	free(path);

	path = NULL;
	setenv("XDG_CACHE_HOME", "relative", 1);
	setenv("HOME", folder, 1);
	EXPECT(!code_of(ao_file_cache_folder(&path)));
	EXPECT(path && !strcmp(path, at_home) && ao_file_exists(path));
	free(path);

	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	path = NULL;
	EXPECT(code_of(ao_file_cache_folder(&path)) == AO_EUSAGE && !path);
	free(expected);
	free(at_home);
	free(cache);
}

static void temporary_folders_differ_and_heed_tmpdir(void)
{
	char *first = NULL;
	char *second = NULL;

	setenv("TMPDIR", folder, 1);
	EXPECT(!code_of(ao_file_temp_folder(&first)));
	EXPECT(!code_of(ao_file_temp_folder(&second)));
	EXPECT(first && second && strcmp(first, second) != 0);
	EXPECT(first && !strncmp(first, folder, strlen(folder)));
	free(first);
	free(second);
	setenv("TMPDIR", "/no/such", 1);
	EXPECT(code_of(ao_file_temp_folder(&first)) == AO_ENOTFOUND);
	unsetenv("TMPDIR");
}

static void the_running_program_is_found(void)
{
	char *path = NULL;

	EXPECT(!code_of(ao_file_self(&path)));
	EXPECT(path && strstr(path, "test_file"));
	free(path);
}

int main(void)
{
	if (code_of(ao_file_temp_folder(&folder)) || chdir(folder))
		return 1;
	RUN(what_is_written_is_read_back);
	RUN(reading_appends);
	RUN(a_missing_file_is_not_found);
	RUN(a_file_over_the_limit_leaves_the_buffer_as_it_was);
	RUN(what_is_no_regular_file_is_not_read);
	RUN(replacing_keeps_the_mode_and_leaves_nothing_beside);
	RUN(a_file_that_did_not_exist_is_replaced_too);
	RUN(a_folder_can_be_synced_and_nothing_else);
	RUN(replacing_where_there_is_no_folder_fails);
	RUN(output_follows_links_and_leaves_devices_what_they_are);
	RUN(output_is_refused_before_there_is_any);
	RUN(folders_are_made_with_those_above);
	RUN(names_are_listed_in_order);
	RUN(a_tree_is_removed_but_not_what_its_links_point_to);
	RUN(closed_folders_are_removed_too);
	RUN(a_dangling_link_exists);
	RUN(the_cache_is_where_xdg_says);
	RUN(temporary_folders_differ_and_heed_tmpdir);
	RUN(the_running_program_is_found);
	ao_file_remove_tree(folder);
	free(folder);
	return tap_done();
}
