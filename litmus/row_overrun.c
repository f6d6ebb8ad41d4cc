/* An index leaves a row of a matrix, but not the matrix. */
int main(void)
{
    int matrix[2][3] = { { 0 } };
    int sum = 0;
    for (int i = 0; i <= 3; i++)
        sum += matrix[0][i];
    return sum;
}
