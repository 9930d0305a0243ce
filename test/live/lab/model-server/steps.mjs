// The plan of the scripted model.
export const STEPS = ['Look at the code', 'Change the code', 'Run the tests'];
export const todo = (i, done) => (i < done ? 'completed' : i === done ? 'in_progress' : 'pending');
