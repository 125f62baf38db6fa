import {Problem} from '../../util/problem.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';

/** Throws `commands_denied` where the configuration keeps commands from allowing anything. */
export function assertCommandsMayAllow({current}: Pick<ProfileContext, 'current'>): void {
	if (current().config.approvals.commandLine === 'deny') {
		throw new Problem('commands_denied');
	}
}
