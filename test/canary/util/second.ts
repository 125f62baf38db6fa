import {type First} from './first.ts';

export type Second = First | 2;

setTimeout(() => console.log(process.env['HOME']), 1);
process.exit(1);
