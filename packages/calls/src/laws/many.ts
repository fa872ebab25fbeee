/** More records than databases return by default, and more than one batch. */
export const MANY = 1100;
