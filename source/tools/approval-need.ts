import {decide} from '../approvals/policy.ts';
import {type RememberedRules} from '../approvals/remembered-rules.ts';
import {type RegisteredTool} from './registered-tool.ts';

/** What a call of this tool would meet at the approval check. */
export function approvalNeed(
	tool: Pick<RegisteredTool, 'server' | 'fingerprint' | 'trust' | 'definition'>,
	rules: ReturnType<RememberedRules['list']>,
): 'none' | 'ask' | 'remembered' {
	const {server, fingerprint, trust, definition} = tool;
	const readOnlyHint = definition.annotations?.readOnlyHint;
	if (decide({trust, readOnlyHint, remembered: false}) === 'run') {
		return 'none';
	}

	const isRemembered = rules.some(
		rule => rule.server === server && rule.fingerprint === fingerprint && rule.state === 'valid',
	);
	return isRemembered ? 'remembered' : 'ask';
}
