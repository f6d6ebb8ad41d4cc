// EXP reach unsafe
void reach_error(void){}
int main(void){ const char*a="abc",*b="abc"; if(a!=b) reach_error(); }
