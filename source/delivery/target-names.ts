import {type messagingPlatforms} from '../config/delivery-targets.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';

/** The names as configuration knows them; the table below must have each of them and no other. */
type SpecifiedName = 'log' | 'github_comment' | (typeof messagingPlatforms)[number];

/** Every delivery target (spec/webhooks.md, Delivery targets) and whether it is there yet. */
const targetStates = {
	log: 'built',
	github_comment: 'planned',
	telegram: 'planned',
	discord: 'planned',
	slack: 'planned',
	signal: 'planned',
	sms: 'planned',
	whatsapp: 'planned',
	matrix: 'planned',
	mattermost: 'planned',
	homeassistant: 'planned',
	email: 'planned',
	dingtalk: 'planned',
	feishu: 'planned',
	wecom: 'planned',
	weixin: 'planned',
	bluebubbles: 'planned',
	qqbot: 'planned',
} as const satisfies Readonly<Record<SpecifiedName, 'built' | 'planned'>>;

/** A value of `deliver`. */
export type TargetName = keyof typeof targetStates;

/** A target that can be delivered to. */
export type BuiltTargetName = {
	[Name in TargetName]: (typeof targetStates)[Name] extends 'built' ? Name : never;
}[TargetName];

/** All names, in the order of the specification. */
export const targetNames = Object.keys(targetStates).filter(isTargetName);

/** True for a known target, built or not. */
export function isTargetName(name: string): name is TargetName {
	return Object.hasOwn(targetStates, name);
}

/** True for a target that can be delivered to. */
export function isBuiltTargetName(name: string): name is BuiltTargetName {
	return isTargetName(name) && targetStates[name] === 'built';
}

/** Why nothing can be delivered to a target of that name; for start-up and `webhook subscribe`. */
export function checkTargetName(name: string): Problem | undefined {
	return isBuiltTargetName(name) ? undefined : absentTarget(name);
}

/** The problem of a target that is not there: known but not built yet (a warning), or unknown. */
export function absentTarget(name: string): Problem {
	if (isTargetName(name)) {
		return new Problem('not_supported_yet', {message: `not supported yet: deliver ${name}`, level: 'warning'});
	}

	const shown = safeText(name, {maximumCharacters: 80});
	return new Problem('unknown_target', {
		message: `unknown delivery target ${JSON.stringify(shown)}, known are ${targetNames.join(', ')}`,
	});
}
