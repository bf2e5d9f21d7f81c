#include "/fin;	nc "/d/ etasÿþ
clude