/* SPDX-License-Identifier: MIT */
/*
 * A recursive descent that computes as it reads:
 *
 *   sum:     product { ("+" | "-") product }
 *   product: factor { ("*" | "/") factor }
 *   factor:  "-" factor | "(" sum ")" | number | name
 */
#include "util/base.h"

#include <math.h>

#include "model/expr.h"

/* Expressions come from task files: no depth of theirs may end our stack. */
enum { MAX_DEPTH = 64 };

struct reader {
	const char *text;
	const char *at;
	ao_expr_lookup *lookup;
	void *data;
	int depth;
};

static struct ao_error *sum(double *out, struct reader *r);

static void skip_blanks(struct reader *r)
{
	while (*r->at == ' ' || *r->at == '\t')
		r->at++;
}

/* Pass over `c`, if that comes next. */
static bool take(struct reader *r, char c)
{
	skip_blanks(r);
	if (*r->at != c)
		return false;
	r->at++;
	return true;
}

static size_t column(const struct reader *r)
{
	return (size_t)(r->at - r->text) + 1;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Decimal only: strtod() alone would take "0x10", "inf" and "nan" as well. */
static struct ao_error *number(double *out, struct reader *r)
{
	size_t len = strspn(r->at, "0123456789.");
	double value;
	char *end;

	if (r->at[len] == 'e' || r->at[len] == 'E') {
		size_t sign = r->at[len + 1] == '+' || r->at[len + 1] == '-';

		len += 1 + sign;
		len += strspn(r->at + len, "0123456789");
	}
	value = strtod(r->at, &end);
	if (end != r->at + len || !isfinite(value) || is_name_start(*end))
		return ao_error_new(AO_EINVALID,
				    "column %zu: not a decimal number",
				    column(r));
	r->at = end;
	*out = value;
	return NULL;
}

static struct ao_error *name(double *out, struct reader *r)
{
	size_t len = 1;

	while (is_name_start(r->at[len]) || is_digit(r->at[len]))
		len++;
	if (!r->lookup(r->data, r->at, len, out))
		return ao_error_new(AO_EINVALID, "column %zu: unknown '%.*s'",
				    column(r), (int)(len < 64 ? len : 64),
				    r->at);
	r->at += len;
	return NULL;
}

static struct ao_error *parenthesis(double *out, struct reader *r)
{
	size_t opened = column(r) - 1;
	struct ao_error *err = sum(out, r);

	if (!err && !take(r, ')'))
		err = ao_error_new(AO_EINVALID,
				   "column %zu: '(' is never closed", opened);
	return err;
}

static struct ao_error *factor(double *out, struct reader *r)
{
	struct ao_error *err;

	if (++r->depth > MAX_DEPTH)
		return ao_error_new(AO_EINVALID,
				    "column %zu: nested more than %d deep",
				    column(r), MAX_DEPTH);
	if (take(r, '-')) {
		err = factor(out, r);
		if (!err)
			*out = -*out;
	} else if (take(r, '(')) {
		err = parenthesis(out, r);
	} else if (is_digit(*r->at) || *r->at == '.') {
		err = number(out, r);
	} else if (is_name_start(*r->at)) {
		err = name(out, r);
	} else {
		err = ao_error_new(AO_EINVALID,
				   "column %zu: expected a number, a name or "
				   "'('",
				   column(r));
	}
	r->depth--;
	return err;
}

static struct ao_error *product(double *out, struct reader *r)
{
	struct ao_error *err = factor(out, r);

	while (!err) {
		bool divide = take(r, '/');
		size_t where = column(r);
		double right = 0;

		if (!divide && !take(r, '*'))
			break;
		err = factor(&right, r);
		if (!err && divide && right == 0)
			return ao_error_new(AO_EINVALID,
					    "column %zu: division by zero",
					    where);
		if (!err)
			*out = divide ? *out / right : *out * right;
	}
	return err;
}

static struct ao_error *sum(double *out, struct reader *r)
{
	struct ao_error *err = product(out, r);

	while (!err) {
		bool minus = take(r, '-');
		double right = 0;

		if (!minus && !take(r, '+'))
			break;
		err = product(&right, r);
		if (!err)
			*out += minus ? -right : right;
	}
	return err;
}

struct ao_error *ao_expr_eval(double *out, const char *text,
			      ao_expr_lookup *lookup, void *data)
{
	struct reader r = {
		.text = text, .at = text, .lookup = lookup, .data = data
	};
	struct ao_error *err;
	double value = 0;

	err = sum(&value, &r);
	if (err)
		return err;
	skip_blanks(&r);
	if (*r.at)
		return ao_error_new(AO_EINVALID,
				    "column %zu: expected an operator or the "
				    "end",
				    column(&r));
	if (!isfinite(value))
		return ao_error_new(AO_EINVALID, "the value is not finite");
	*out = value;
	return NULL;
}
