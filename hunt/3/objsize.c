// EXP reach safe
void reach_error(void){}
int main(void){ char b[10]; if(__builtin_object_size(b,0)!=10) reach_error(); }
