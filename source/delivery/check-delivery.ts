import {type JsonObject} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {chooseChat, extraText} from './chat.ts';
import {findTarget} from './find-target.ts';
import {type Platforms} from './open-platforms.ts';

/** Why nothing will arrive that a route delivers, as far as that can be known before: the platform, the chat, other keys of `deliver_extra`. Nothing is sent. */
export async function checkDelivery(
	{target: name, extra}: {readonly target: string; readonly extra: JsonObject},
	platforms: Pick<Platforms, 'problems' | 'settings'>,
): Promise<readonly Problem[]> {
	const problems = platforms.problems(name);
	if (problems.length > 0) {
		return problems;
	}

	const target = await findTarget(name);
	if (target instanceof Problem) {
		return [target];
	}

	const settings = platforms.settings(name);
	const choice = chooseChat(target.chat(settings), {extra, settings});
	const chatFault = choice.kind === 'refused' && !isTemplate(extraText(extra, 'chat_id')) ? choice.detail : undefined;
	const extraFault = Object.values(extra).some(isTemplate) ? undefined : target.refuse?.(extra);
	return [chatFault, extraFault]
		.filter(fault => fault !== undefined)
		.map(fault => new Problem('platform_unusable', {level: 'warning', message: `deliver ${name}: ${fault}`}));
}

/** What a template will become is not known before an event comes. */
function isTemplate(value: unknown): boolean {
	return typeof value === 'string' && value.includes('{');
}
