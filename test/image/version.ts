/** Of the image that is built, as `git describe` would name it. */
export const VERSION = "9.8.7-6-g1234567";
