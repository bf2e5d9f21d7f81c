/* SPDX-License-Identifier: MIT */
/* published_page.h - published figures as a page of Markdown, and as JSON. */
#ifndef AO_CLI_PUBLISHED_PAGE_H
#define AO_CLI_PUBLISHED_PAGE_H

#include "model/published.h"
#include "util/buf.h"
#include "util/json.h"

#include "cli/options.h"

/* Append the page about that suite. */
void ao_published_page(struct ao_buf *out, const char *suite,
		       const struct ao_published *published);

/* The same as an object; what was not measured is null. */
struct ao_json *ao_published_to_json(const char *suite,
				     const struct ao_published *published);

/* AO_EUSAGE if options of bench were given that are about measuring. */
AO_MUST_CHECK
struct ao_error *ao_published_options(const struct ao_options *options);

#endif
