export { type Gateway, type GatewayRun, type RayTrainerOptions, rayTrainer } from "./ray-trainer.ts";
