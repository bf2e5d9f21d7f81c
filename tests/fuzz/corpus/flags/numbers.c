1e+5.x 0x1p-3 .5 ..5 $a
__attribute__((__optimize__("-Ofast"))) 