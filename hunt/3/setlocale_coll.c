// EXP reach unsafe
#include <locale.h>
#include <string.h>
void reach_error(void){}
int main(void){ setlocale(LC_ALL,"en_US.UTF-8"); if(strcoll("a","B")<0) reach_error(); }
