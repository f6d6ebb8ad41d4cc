// EXP reach unsafe
#include <stdio.h>
#include <errno.h>
void reach_error(void){}
int main(void){ errno=0; getchar(); if(errno!=0) reach_error(); }
