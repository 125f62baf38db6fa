/** The number of the protocol of the control socket: both ends must have the same one. It grows with every change that the other end could misunderstand. */
export const controlProtocol = 3;

/** The longest line on the control socket, in bytes, either way. */
export const maximumLineBytes = 10 * 1024 * 1024;

/** Bounds: connections at once, and open requests for each of them. */
export const maximumConnections = 100;
export const maximumOpenRequests = 32;

/** A connection may go so long without its first whole request, and one that is refused without hanging up, in milliseconds. */
export const silenceMilliseconds = 10_000;
export const refusalMilliseconds = 1000;

/** Bound on bytes that wait for a slow reader. A follower of events that exceeds it is disconnected. */
export const maximumWaitingBytes = 2 * maximumLineBytes;
export const maximumWaitingEventBytes = 1024 * 1024;

/** Milliseconds that a quick method may take, and that a stopping gateway waits for cancelled calls. */
export const answerDeadlineMilliseconds = 30_000;
export const closeDeadlineMilliseconds = 2000;

/** The longest line to a console, in bytes: a snapshot with every list full. */
export const maximumConsoleLineBytes = 32 * 1024 * 1024;

/** Bound on bytes that wait for a slow console besides a snapshot. Beyond it, events are dropped; a new snapshot follows once it has read. */
export const maximumConsoleWaitingBytes = 1024 * 1024;

/** More than any person gives, and more than keys that are held down do. */
export const maximumCommandsPerSecond = 200;

/** Bound on open calls of a console: a person may act on many marked rows. */
export const maximumConsoleCalls = 1000;

/** Far deeper than the arguments of any call that passes. */
export const deepestConsoleMessage = 200;
