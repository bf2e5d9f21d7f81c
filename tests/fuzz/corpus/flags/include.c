#include "/etc/passwd"
#include <../x>
#include F
#include