/** Hands the terminal back until the returned value is resumed. */
export type SuspendTerminal = () => Promise<{readonly resume: () => Promise<void>}>;

/**
Puts the program to sleep as Ctrl+Z does elsewhere: the terminal is given back, the whole process group stops, and `fg` wakes both.
Everything stops, the gateway too; whoever calls this has asked. `onWoken` is called before anything is drawn again.
*/
export async function suspendDashboard(suspendTerminal: SuspendTerminal, onWoken: () => void): Promise<void> {
	const suspension = await suspendTerminal();
	const woken = new Promise<void>(resolve => {
		process.once('SIGCONT', () => resolve());
	});
	// The group, so that a shell sees its job stopped even when npm stands between.
	process.kill(0, 'SIGTSTP');
	await woken;
	onWoken();
	await suspension.resume();
}
