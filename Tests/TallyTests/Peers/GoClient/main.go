// A client of the tally made of containerd's own ttrpc package. Usage: goclient HOST:PORT
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/containerd/ttrpc"
	"github.com/gogo/protobuf/proto"
	"google.golang.org/grpc/status"
)

type addRequest struct {
	Name   string `protobuf:"bytes,1,opt,name=name,proto3"`
	Amount int64  `protobuf:"varint,2,opt,name=amount,proto3"`
}

type count struct {
	Name   string `protobuf:"bytes,1,opt,name=name,proto3"`
	Value  int64  `protobuf:"varint,2,opt,name=value,proto3"`
	Number int64  `protobuf:"varint,3,opt,name=number,proto3"`
}

func (m *addRequest) Reset()         { *m = addRequest{} }
func (m *addRequest) String() string { return proto.CompactTextString(m) }
func (*addRequest) ProtoMessage()    {}
func (m *count) Reset()              { *m = count{} }
func (m *count) String() string      { return proto.CompactTextString(m) }
func (*count) ProtoMessage()         {}

func main() {
	connection, err := net.Dial("tcp", os.Args[1])
	if err != nil {
		fmt.Println("dial:", err)
		os.Exit(1)
	}
	client := ttrpc.NewClient(connection)
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()

	var answer count
	for _, amount := range []int64{5, -2} {
		err = client.Call(ctx, "tally.v1.Tally", "Add", &addRequest{Name: "go", Amount: amount}, &answer)
		fmt.Println("add", status.Code(err), answer.Name, answer.Value)
	}
	err = client.Call(ctx, "tally.v1.Tally", "Add", &addRequest{}, &answer)
	fmt.Println("no name", status.Code(err), status.Convert(err).Message())
	fmt.Println("no method", status.Code(client.Call(ctx, "tally.v1.Tally", "Nothing", &addRequest{}, &answer)))
}
