//! Numbers typed into a tensor come out where they belong, along every dimension.

use ringscope::engine::simulate::simulate;
use ringscope::engine::tensor::concat;
use ringscope::ui::scenario::parse;

/// The numbers in each rank's output after `fragment` ran on the simulator.
fn outputs(fragment: &str) -> Vec<Vec<f32>> {
    let (_, scenario, found) = parse(fragment);
    assert_eq!(found, []);
    let prepared = scenario.prepare().expect("what a link says can run");
    let simulation = simulate(&prepared.schedule, &prepared.run, 1);
    let numbers = |bytes: &Vec<u8>| {
        // A gathered tensor is complete once the local Concat has put its blocks in their places.
        let tensor = &prepared.run.tensor;
        let whole = scenario.verb.has_dimension() && Some(bytes.len() / 4) == tensor.elements();
        let bytes = if whole { concat(tensor, scenario.ranks, 4, bytes) } else { bytes.clone() };
        bytes.as_chunks::<4>().0.iter().map(|word| f32::from_le_bytes(*word)).collect()
    };
    simulation.outputs.iter().map(numbers).collect()
}

#[test]
fn typed_tensors_come_out_right_along_every_dimension() {
    // Rank 0 holds the left half of 1 2 3 4 / 5 6 7 8, rank 1 the right half.
    let gathered = outputs("/allgather?n=2&shape=2x4&dim=1&data=1,2,5,6;3,4,7,8");
    assert_eq!(gathered, vec![vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]; 2]);
    let gathered = outputs("/gather?n=2&root=1&shape=2x4&data=1,2,3,4;5,6,7,8");
    assert_eq!(gathered[1], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    let scattered = outputs("/scatter?n=2&shape=2x4&dim=1&data=1,2,3,4,5,6,7,8");
    assert_eq!(scattered, [[1.0, 2.0, 5.0, 6.0], [3.0, 4.0, 7.0, 8.0]]);
    let reduced = outputs("/reducescatter?n=2&shape=2x2&dim=1&data=1,2,3,4;10,20,30,40");
    assert_eq!(reduced, [[11.0, 33.0], [22.0, 44.0]]);
    // Three columns for two ranks: the first gets two of them.
    let scattered = outputs("/scatter?n=2&shape=2x3&dim=1&data=1,2,3,4,5,6");
    assert_eq!(scattered, [vec![1.0, 2.0, 4.0, 5.0], vec![3.0, 6.0]]);
    assert_eq!(outputs("/barrier?n=3").len(), 3);
}
