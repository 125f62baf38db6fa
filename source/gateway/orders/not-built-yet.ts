import {type Command} from '../../state/command.ts';
import {Problem} from '../../util/problem.ts';

/** The refusal of an order that windows may send one day. */
export function notBuiltYet({type}: Command): Problem {
	return new Problem('not_supported_yet', {message: `not supported yet: ${type}`, level: 'warning'});
}
