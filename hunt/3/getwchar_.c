// EXP reach unsafe
#include <wchar.h>
#include <errno.h>
void reach_error(void){}
int main(void){ errno=0; getwchar(); if(errno) reach_error(); }
