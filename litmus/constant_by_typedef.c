// The name of a type can make an object constant.
typedef const int fixed;
typedef fixed table[2];

table limits = {1, 2};

int main(void)
{
    int *limit = (int *)&limits[1];
    *limit = 3;
    return 0;
}
