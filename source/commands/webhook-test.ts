import {parseJson} from '../util/json-text.ts';
import {Problem} from '../util/problem.ts';
import {safeText} from '../util/safe-text.ts';
import {type CommandContext, type ExitCode} from './command-context.ts';
import {jsonDocument} from './json-document.ts';
import {postTestEvent} from './post-test-event.ts';
import {findRoute, type RouteBook} from './route-book.ts';
import {runCommand} from './run-command.ts';

const shownCharacters = 4000;

/** `sluice webhook test NAME [--payload JSON]`: a signed event for the running gateway, as a sender would post it. */
export function runWebhookTest(context: CommandContext, openBook: () => Promise<RouteBook>): Promise<ExitCode> {
	return runCommand(context, async () => {
		const [name, ...others] = context.arguments;
		if (name === undefined || others.length > 0) {
			throw new Problem('bad_usage', {message: 'Usage: sluice webhook test NAME [--payload JSON] [--json]'});
		}

		const book = await openBook();
		const route = findRoute(book, name);
		const answer = await postTestEvent(context, {route, expand: book.expand});
		context.stdout(
			context.flags.json
				? jsonDocument({status: answer.status, body: parseJson(answer.text) ?? answer.text})
				: `${answer.status} ${safeText(answer.text, {maximumCharacters: shownCharacters})}\n`,
		);
		return answer.status < 300 ? 0 : 1;
	});
}
