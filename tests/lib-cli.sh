# SPDX-License-Identifier: MIT
# lib-cli.sh - what the tests of commands share; sourced after lib.sh.
# exits N COMMAND...: the command ends with status N.
exits() {
	wanted=$1
	shift
	"$@"
	got=$?
	test "$got" -eq "$wanted" && return 0
	echo "status $got, not $wanted: $*"
	return 1
}

# says TEXT FILE: the file holds the text, literally.
says() {
	grep -F -e "$1" "$2" >/dev/null && return 0
	echo "no '$1' in $2:"
	cat "$2"
	return 1
}

# A task that is quick to build, check and time: y = x * x + 1.
tiny_task() {
	mkdir -p tasks/tiny &&
	cat >tasks/tiny/task.json <<-\JSON &&
	{
	  "v": 1,
	  "name": "tiny",
	  "op_type": "elementwise",
	  "description": "y = x * x + 1",
	  "axes": { "M": { "type": "var" }, "N": { "type": "var" } },
	  "inputs": { "x": { "shape": ["M", "N"], "dtype": "float32" } },
	  "outputs": {
	    "y": { "shape": ["M", "N"], "dtype": "float32", "tolerance": 2e-5 }
	  },
	  "kernel": ["kernel.c"],
	  "reference": "reference.c",
	  "independent_axis": "M",
	  "work": { "fma": "M * N" },
	  "cases": [
	    { "name": "main", "axes": { "M": 256, "N": 512 } },
	    { "name": "odd", "axes": { "M": 3, "N": 5 }, "weight": 0 }
	  ]
	}
	JSON
	cat >tasks/tiny/reference.c <<-\C &&
	void reference(const float x[M][N], double y[M][N])
	{
		for (int i = 0; i < M; i++)
			for (int j = 0; j < N; j++)
				y[i][j] = (double)x[i][j] * x[i][j] + 1;
	}
	C
	tiny_kernel 'y[i][j] = x[i][j] * x[i][j] + 1;' >tasks/tiny/kernel.c
}

# Give the tiny task a case that is judged on request only.
tiny_request() {
	sed -i 's/"weight": 0 }/"weight": 0 },\
	    { "name": "large", "axes": { "M": 300, "N": 512 },\
	      "on_request": true }/' tasks/tiny/task.json
}

# tiny_kernel STATEMENT: a kernel for the tiny task with this inner statement.
tiny_kernel() {
	cat <<-C
	void kernel(const float x[restrict M][N], float y[restrict M][N])
	{
		for (int i = 0; i < M; i++)
			for (int j = 0; j < N; j++)
				$1
	}
	C
}

# A repository with the tiny task in its first commit.
tiny_repo() {
	git init -q "${1:-.}" &&
	(
		cd "${1:-.}" &&
		tiny_task &&
		git add . &&
		git commit -q -m "Add the tiny task"
	)
}
