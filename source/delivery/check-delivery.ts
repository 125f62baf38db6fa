import {type Destination} from '../util/destinations.ts';
import {Problem} from '../util/problem.ts';
import {chooseChat, extraText} from './chat.ts';
import {findTarget} from './find-target.ts';
import {type Platforms} from './open-platforms.ts';

/** The same for each of several destinations. */
export async function checkDeliveries(
	destinations: readonly Destination[],
	platforms: Pick<Platforms, 'problems' | 'settings'>,
): Promise<readonly Problem[]> {
	return (await Promise.all(destinations.map(destination => checkDelivery(destination, platforms)))).flat();
}

/** The reason that a route cannot deliver, as far as known in advance: the platform, the chat, other keys of `deliver_extra`. Nothing is sent. */
export async function checkDelivery(
	{target: name, extra}: Destination,
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

/** The value of a template is unknown before an event arrives. */
function isTemplate(value: unknown): boolean {
	return typeof value === 'string' && value.includes('{');
}
