import { env } from 'node:process';
import { InvalidArgumentError } from 'commander';
export const list = (text) => text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
export const wholeNumber = (text) => {
    if (!/^\d+$/.test(text))
        throw new InvalidArgumentError('a whole number is expected.');
    return Number(text);
};
export const repeated = (value, before) => [...before, value];
/** `name=value`, where the value may be `env:NAME`. */
export const credential = (text, before) => {
    const [name = '', ...rest] = text.split('=');
    const value = rest.join('=');
    const given = value.startsWith('env:') ? env[value.slice('env:'.length)] : value;
    if (name === '' || given === undefined || given === '')
        throw new InvalidArgumentError('NAME=VALUE or NAME=env:VARIABLE is expected, and the variable must be set.');
    return { ...before, [name]: given };
};
