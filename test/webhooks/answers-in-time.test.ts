import {expect, test} from 'vitest';
import {systemClock} from '../../source/util/clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';
import {openDiscordInteractions} from '../simulators/callers/discord-interaction.ts';
import {openSlackCommands} from '../simulators/callers/slack-command.ts';
import {answeringRoute, openAnswers} from './open-answers.ts';

test('answers come inside the limit of the caller by the clock of the system, when the model never answers', async () => {
	const callers = {slack: await openSlackCommands(), discord: await openDiscordInteractions()};
	const clock = systemClock;
	const routes = [answeringRoute('slack', {}), answeringRoute('discord', {content_type: 'application/json'})];
	const {url} = await openAnswers({clock, journal: openTestJournal({clock}), routes});
	const seen = await Promise.all([
		callers.slack.type(`${url}/webhooks/slack`, {at: clock.now()}),
		callers.discord.use(`${url}/webhooks/discord`, {at: clock.now()}),
	]);
	expect(seen).toEqual(['', 'thinking…']);
});
