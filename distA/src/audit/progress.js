const step = 1024 * 1024;
/** Says after each megabyte what is read next, and how many bytes were read before. Locations inside containers are told. */
export function createProgress(tell) {
    let read = 0;
    let told = 0;
    return (location, bytes) => {
        if (read - told >= step) {
            told = read;
            tell(location, read);
        }
        read += bytes;
    };
}
