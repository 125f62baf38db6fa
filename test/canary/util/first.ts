import 'ink';
import 'left-pad';
import {type Second} from './second.ts';

export type First = Second | 1;
